-- Waits for what buys by itself and for purchases in the order in which they take tables, or each would wait for the
-- other.
lock table order_wishes, renewals, prices;

-- How many keys of a duration one account may ever buy, and durations that one person may buy once.
alter table prices
  add column per_buyer   smallint check (per_buyer between 1 and 100),
  -- From when on the limit has held: a minute after it was set, because purchases on their way have read the one before.
  add column limit_since timestamptz,
  add column is_trial    boolean not null default false,
  add check ((per_buyer is null) = (limit_since is null)),
  add check (not is_trial or per_buyer = 1);

alter table order_wishes
  drop constraint order_wishes_end_reason_check,
  add constraint order_wishes_end_reason_check
      check (end_reason in ('bought', 'price', 'stock', 'money', 'not-for-sale', 'limit', 'cancelled', 'rejected',
                            'replaced', 'expired', 'account'));
alter table renewals
  drop constraint renewals_end_reason_check,
  add constraint renewals_end_reason_check
      check (end_reason in ('bought', 'price', 'stock', 'money', 'not-for-sale', 'limit', 'stopped', 'by-hand',
                            'refunded', 'account', 'unused', 'untold'));

-- Accounts of one person, by browser and by payer.
create index user_sessions_by_device on user_sessions (device_hash, user_id);
create index bank_matches_by_credit on bank_matches (credit_id);
