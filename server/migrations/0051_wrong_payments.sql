-- A request that was approved with another amount than the buyer's, or whose approval was taken back.
alter table topup_requests
  -- The buyer's amount, where an admin credited another one.
  add column asked_paise bigint check (asked_paise >= 100),
  -- What becomes of the UTR of an approval that was taken back. After 'never-came' its next claim is marked.
  add column taken_back text check (taken_back in ('free', 'never-came')),
  -- What was spent already, and could not be taken back.
  add column loss_paise bigint check (loss_paise >= 0),
  add check ((taken_back is null) = (loss_paise is null)),
  add check (taken_back is null or status = 'rejected');

update topup_requests request set taken_back = 'free', loss_paise = match.loss_paise
  from (select distinct on (topup_id) topup_id, loss_paise from bank_matches
         where released_at is not null order by topup_id, released_at desc) match
 where match.topup_id = request.id and request.status = 'rejected';
