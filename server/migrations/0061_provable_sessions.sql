-- Whether the client that opened a session asks its admin for proofs. Clients that others wrote do not.
alter table admin_sessions add column can_prove boolean not null default false;
