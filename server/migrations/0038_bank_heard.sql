-- What a phone has sent lately, for the owner who sets it up. Texts are kept for a day, with their digits hidden.
create table bank_heard (
  id          uuid primary key,
  device_id   uuid not null references bank_devices,
  sender      text not null,
  outcome     text not null,
  why         text,
  stamped_at  timestamptz,
  heard_at    timestamptz not null,
  text_sealed bytea
);
create index bank_heard_newest on bank_heard (device_id, heard_at desc);
create table bank_heard_days (
  device_id uuid not null references bank_devices,
  day       date not null,
  outcome   text not null,
  count     integer not null,
  primary key (device_id, day, outcome)
);
-- The newest alerts of phones, for what buyers are told.
create index bank_sightings_alerts on bank_sightings (seen_at desc) where outcome = 'credit' and device_id is not null;
