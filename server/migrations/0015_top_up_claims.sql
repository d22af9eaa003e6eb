-- What a top-up request says for good: whose transfer it claims however that is written, how long its credit lasts, and
-- where it came from.

-- The numbers in a reference: every twelve digits that stand together once its letters are gone, or all of them where there
-- are fewer; and the same once more with those letters read as digits that look like them, behind the four of the bank
-- (server/payments/one-transfer.ts).
create function transfer_numbers(reference text) returns text[] language sql immutable parallel safe as $$
  select array(select substr(digits, start, 12)
                 from (select regexp_replace(reading, '[^0-9]', '', 'g') as digits
                         from (values (reference),
                                      (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011'))) text (reading)) bare,
                      generate_series(1, greatest(length(digits) - 11, 1)) as start)
$$;

-- The last of them in either reading.
create function transfer_ends(reference text) returns text[] language sql immutable parallel safe as $$
  select array(select right(regexp_replace(reading, '[^0-9]', '', 'g'), 12)
                 from (values (reference),
                              (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011'))) text (reading))
$$;

-- Of all states: a claim that was rejected is a sign beside the next one. Nearly all references are twelve digits and nothing
-- else: those are found by their text.
create index topup_requests_numbers on topup_requests using gin (transfer_numbers(utr)) with (fastupdate = off)
  where length(utr) > 12;
create index topup_requests_ends on topup_requests using gin (transfer_ends(utr)) with (fastupdate = off)
  where length(utr) > 12;
-- numbers_in and the indexes of 0011 and 0014 stay for now: a node of the version before asks by them until it is restarted.

-- How long the credit lasts is fixed with the rest of a request's terms; days that are null never end. Requests from before
-- are not fixed: they last as the settings say when they are approved.
alter table topup_requests
  add column validity_days  integer,
  add column validity_fixed boolean not null default false,
  -- The address that it was sent from; forgotten together with the phone.
  add column address        text not null default '';
