-- Wordings are kept with their slots, so that an owner may let one count. Their counts begin anew.
delete from bank_readings;
delete from bank_forms;
alter table bank_forms
  -- Of an added sender, whose wordings are never learned.
  add column sender_id  uuid references bank_senders,
  add column learned_at timestamptz,
  add column ended_at   timestamptz,
  add check (learned_at is null or (sender_id is null and ended_at is null));
-- A statement has said something of it. The latest that were right stay as examples.
alter table bank_readings add column judged_at timestamptz;
create index bank_readings_by_form on bank_readings (form_id);

alter table bank_alarms drop constraint bank_alarms_kind_check;
alter table bank_alarms add constraint bank_alarms_kind_check check (kind in (
  'alert-not-in-statement', 'approved-without-money', 'amount-after-approval', 'taken-back-by-bank',
  'rival-after-automatic', 'wording-ended', 'automation-off'));
