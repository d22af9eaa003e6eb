-- Batches: what a supplier delivered, counted, and taken back as long as nobody has touched it.

alter table key_batches
  -- How many of its keys were deleted without being sold, and how often one was corrected.
  add column removed integer not null default 0 check (removed between 0 and added),
  add column edited integer not null default 0 check (edited >= 0),
  add column undone_at timestamptz,
  add column undone_by uuid references admins,
  add check ((undone_at is null) = (undone_by is null));

-- What went before this was counted.
update key_batches
   set added = greatest(key_batches.added, counted.there),
       removed = greatest(key_batches.added, counted.there) - counted.there
  from (select batch.id, count(key.id)::integer as there
          from key_batches batch left join license_keys key on key.batch_id = batch.id
         group by batch.id) counted
 where counted.id = key_batches.id;

-- What is left of a batch. A purchase adds nothing to it: a sold key only falls out.
create index license_keys_unsold_of_batch on license_keys (batch_id) where order_id is null;
create index key_batches_newest on key_batches (created_at desc, id desc);

comment on column key_batches.cost_paise is 'What one key of it cost.';
