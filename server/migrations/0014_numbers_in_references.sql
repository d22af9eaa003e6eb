-- Every twelve digits that stand together in a reference once its letters are gone, the last ones last: a reference of more
-- than twelve digits can hold another transfer's number anywhere (server/payments/request-top-up.ts).
create function numbers_in(reference text) returns text[] language sql immutable parallel safe as $$
  select array(select substr(digits, start, 12)
                 from (select regexp_replace(reference, '[^0-9]', '', 'g') as digits) bare,
                      generate_series(1, length(digits) - 11) as start
                order by start)
$$;

-- Nearly all references are twelve digits and nothing else: those are found by their index of before.
create index topup_requests_live_numbers on topup_requests using gin (numbers_in(utr)) with (fastupdate = off)
  where status in ('pending', 'approved') and length(utr) > 12;
