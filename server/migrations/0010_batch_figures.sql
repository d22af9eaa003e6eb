-- What is left of a batch, without counting its keys: what came, less what was deleted, less what was sold.

-- How many keys of a batch were sold, as the sum over its shards. A purchase uses the shard that it counts the stock
-- with, so it waits for nobody here that it would not wait for there.
create table batch_counters (
  batch_id uuid     not null references key_batches,
  shard    smallint not null check (shard between 0 and 7),
  sold     integer  not null check (sold >= 0),
  primary key (batch_id, shard)
) with (fillfactor = 50);

insert into batch_counters (batch_id, shard, sold)
select batch_id, 0, count(*) from license_keys where batch_id is not null and order_id is not null group by batch_id;

-- Between which arrival numbers its keys are, so that they are found without an index that every sale would write to.
alter table key_batches
  add column first_seq bigint,
  add column last_seq bigint,
  add check (first_seq <= last_seq);
update key_batches set first_seq = there.first_seq, last_seq = there.last_seq
  from (select batch_id, min(seq) as first_seq, max(seq) as last_seq
          from license_keys where batch_id is not null group by batch_id) there
 where key_batches.id = there.batch_id;
