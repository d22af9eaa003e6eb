-- Claims that live, by the number that a reference ends with: the same transfer can be written with its bank's letters and
-- without (server/payments/request-top-up.ts).
create index topup_requests_live_number on topup_requests (right(regexp_replace(utr, '[^0-9]', '', 'g'), 12))
  where status in ('pending', 'approved');
