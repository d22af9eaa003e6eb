-- To the eye an S passes for a 5, a B for an 8, a Z for a 2 and a G for a 6, as an O does for a 0 and an I or L for a 1
-- (server/payments/same-transfer.ts).

-- The numbers in a reference. Each of four readings gives its digits: letters are dropped; O, I and L are digits behind the
-- bank's four letters; all seven are digits there; all seven are digits anywhere. A number is every twelve digits that stand
-- together, or all where there are fewer. Below six the letters tell references apart: then it is the whole text.
create function reference_numbers(reference text) returns text[] language sql immutable parallel safe as $$
  select array(select substr(digits, start, 12)
                 from (select regexp_replace(reading, '[^0-9]', '', 'g') as digits
                         from (values (reference),
                                      (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011')),
                                      (left(reference, 4) || translate(substr(reference, 5), 'OILSBZG', '0115826')),
                                      (translate(reference, 'OILSBZG', '0115826'))) text (reading)) bare,
                      generate_series(1, greatest(length(digits) - 11, 1)) as start
                where length(digits) >= 6
               union
               select alike
                 from translate(reference, 'OILSBZG', '0115826') as alike
                where length(regexp_replace(alike, '[^0-9]', '', 'g')) < 6)
$$;

-- The last number of each reading.
create function reference_ends(reference text) returns text[] language sql immutable parallel safe as $$
  select array(select right(digits, 12)
                 from (select regexp_replace(reading, '[^0-9]', '', 'g') as digits
                         from (values (reference),
                                      (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011')),
                                      (left(reference, 4) || translate(substr(reference, 5), 'OILSBZG', '0115826')),
                                      (translate(reference, 'OILSBZG', '0115826'))) text (reading)) bare
                where length(digits) >= 6
               union
               select alike
                 from translate(reference, 'OILSBZG', '0115826') as alike
                where length(regexp_replace(alike, '[^0-9]', '', 'g')) < 6)
$$;

-- Nearly all references are twelve digits and nothing else: those are found by their text.
create index topup_requests_alike_numbers on topup_requests using gin (reference_numbers(utr)) with (fastupdate = off)
  where utr !~ '^[0-9]{12}$';
create index topup_requests_alike_ends on topup_requests using gin (reference_ends(utr)) with (fastupdate = off)
  where utr !~ '^[0-9]{12}$';

-- No node asks by these any more. Those of 0015 stay until every node of the version before is restarted.
drop index topup_requests_live_number;
drop index topup_requests_live_numbers;
drop function numbers_in(text);
