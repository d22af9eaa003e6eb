-- A sign-up reward is given once a mailbox, and may wait for the first approved top-up.
alter table referral_codes
  add column pays_after_topup boolean not null default false,
  -- The most that sign-ups of one day (India) bring; null for no ceiling.
  add column day_max_paise bigint check (day_max_paise > 0);

alter table referral_uses
  -- Names the mailbox of the sign-up's address without saying which it is; null until it is noted.
  add column mailbox_fingerprint bytea,
  -- What the sign-up brings, and when it was credited; null while it waits for the first top-up.
  add column reward_paise bigint not null default 0 check (reward_paise >= 0),
  add column rewarded_at timestamptz,
  add check (rewarded_at is null or reward_paise > 0);

update referral_uses used set reward_paise = movement.amount_paise, rewarded_at = movement.created_at
  from wallet_movements movement
 where movement.user_id = used.user_id and movement.kind = 'referral_reward';

create index referral_uses_by_mailbox on referral_uses (mailbox_fingerprint);
create index referral_uses_unnoted on referral_uses (user_id) where mailbox_fingerprint is null;
create index referral_uses_promised on referral_uses (user_id) where reward_paise > 0 and rewarded_at is null;
