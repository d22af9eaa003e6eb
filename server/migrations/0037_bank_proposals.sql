-- A message that was read by its parts proposes money: a credit without proof and without a file.
alter table bank_sightings drop constraint bank_sightings_outcome_check, drop constraint bank_sightings_check1;
alter table bank_sightings
  add constraint bank_sightings_outcome_check check (outcome in ('credit', 'proposed', 'hint', 'unread', 'refused')),
  add constraint bank_sightings_credit_check check ((outcome in ('credit', 'proposed')) = (credit_id is not null));

-- The same text some days later is another hint. The phone's stamp tells them apart.
alter table bank_sightings add column text_key bytea, add column stamped_at timestamptz;
create index bank_sightings_by_text on bank_sightings (text_key, seen_at) where text_key is not null;
