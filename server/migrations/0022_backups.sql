-- Which backups there are, on whichever node they were made, so that the nightly check of any node knows.
-- A row is made when the backup is proved. It says where a copy went when that copy was read back.
create table backups (
  node      text not null,
  file      text not null,
  made_at   timestamptz not null,
  bytes     bigint not null check (bytes > 0),
  copied_to text,
  copied_at timestamptz,
  primary key (node, file),
  check (num_nulls(copied_to, copied_at) in (0, 2))
);
