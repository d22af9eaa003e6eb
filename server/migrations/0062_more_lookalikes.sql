-- Each letter that passes for a digit to the eye counts as one: also A for 4, D and Q for 0, E for 3, J for 1, Y for 7,
-- and T for 7 or 1. B is 8 or 6, G is 6 or 9, Q is 0 or 9 (server/payments/same-transfer.ts).

-- The readings of 0016 stay. The new letters are digits behind the bank's four letters, or anywhere. A letter that is
-- like two digits has one reading with the first of them, and one with the second.
-- Nearly all references are twelve digits, which are read in one way.
create or replace function reference_numbers(reference text) returns text[]
language sql immutable parallel safe as $$
  select case when reference ~ '^[0-9]{12}$' then array[reference] else array(
    select substr(digits, start, 12)
      from (select reading, is_whole
             from (values (reference, false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011'), false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OILSBZG', '0115826'), false),
                          (translate(reference, 'OILSBZG', '0115826'), true)) before (reading, is_whole)
            union all
           select case when is_whole then translate(reference, 'OILSZADEJYBGQT', digits)
                       else left(reference, 4) || translate(substr(reference, 5), 'OILSZADEJYBGQT', digits) end,
                  is_whole
             from (values (true), (false)) anywhere (is_whole),
                  (values ('01152403178607'), ('01152403176991')) alike (digits)) each,
         lateral (select regexp_replace(reading, '[^0-9]', '', 'g') as digits) bare,
           generate_series(1, greatest(length(digits) - 11, 1)) as start
     where length(digits) >= 6
     union
    select reading
      from (select reading, is_whole
             from (values (reference, false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011'), false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OILSBZG', '0115826'), false),
                          (translate(reference, 'OILSBZG', '0115826'), true)) before (reading, is_whole)
            union all
           select case when is_whole then translate(reference, 'OILSZADEJYBGQT', digits)
                       else left(reference, 4) || translate(substr(reference, 5), 'OILSZADEJYBGQT', digits) end,
                  is_whole
             from (values (true), (false)) anywhere (is_whole),
                  (values ('01152403178607'), ('01152403176991')) alike (digits)) each,
         lateral (select regexp_replace(reading, '[^0-9]', '', 'g') as digits) bare
     where is_whole and length(digits) < 6) end
$$;

create or replace function reference_ends(reference text) returns text[]
language sql immutable parallel safe as $$
  select case when reference ~ '^[0-9]{12}$' then array[reference] else array(
    select case when length(digits) >= 6 then right(digits, 12) else reading end
      from (select reading, is_whole
             from (values (reference, false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OIL', '011'), false),
                          (left(reference, 4) || translate(substr(reference, 5), 'OILSBZG', '0115826'), false),
                          (translate(reference, 'OILSBZG', '0115826'), true)) before (reading, is_whole)
            union all
           select case when is_whole then translate(reference, 'OILSZADEJYBGQT', digits)
                       else left(reference, 4) || translate(substr(reference, 5), 'OILSZADEJYBGQT', digits) end,
                  is_whole
             from (values (true), (false)) anywhere (is_whole),
                  (values ('01152403178607'), ('01152403176991')) alike (digits)) each,
         lateral (select regexp_replace(reading, '[^0-9]', '', 'g') as digits) bare
     where length(digits) >= 6 or is_whole
     group by 1) end
$$;

reindex index topup_requests_alike_numbers;
reindex index topup_requests_alike_ends;
