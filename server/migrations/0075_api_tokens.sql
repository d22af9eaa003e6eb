-- Buyers who may buy with programs, and the tokens of their programs.
alter table users add column is_reseller boolean not null default false;
-- Null for a person. There is no foreign key, because it would add a look-up to each purchase.
alter table orders add column token_id uuid;
create table api_tokens (
  id uuid primary key,
  user_id uuid not null references users,
  -- Empty once it is forgotten
  name text not null,
  -- SHA-256 of the whole token
  hash bytea not null unique,
  can_buy boolean not null,
  addresses text[] not null default '{}' check (cardinality(addresses) <= 5),
  expires_at timestamptz not null,
  last_used_at timestamptz,
  ended_at timestamptz,
  created_at timestamptz not null
);
create index api_tokens_by_user on api_tokens (user_id);
