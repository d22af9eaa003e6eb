-- How far a phone's setup has come: any message, the owner's own SMS, a message of its bank.
alter table bank_devices
  add column reached_at timestamptz,
  add column sms_at     timestamptz,
  add column bank_at    timestamptz;
update bank_devices device
   set reached_at = last_seen_at,
       bank_at = (select max(seen_at) from bank_sightings
                   where device_id = device.id and outcome in ('credit', 'proposed', 'hint'));
