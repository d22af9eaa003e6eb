-- Keys of a supplier that buyers claimed, and the store reported there.
create table supply_claims (
  claim_id       uuid primary key references key_claims,
  link_id        uuid not null references supply_links,
  -- The key and the claim there.
  their_key      uuid not null,
  their_number   text not null,
  status         text not null check (status in ('open', 'replaced', 'refunded', 'rejected', 'withdrawn')),
  refunded_paise bigint,
  created_at     timestamptz not null
);
create index supply_claims_open on supply_claims (link_id) where status = 'open';
