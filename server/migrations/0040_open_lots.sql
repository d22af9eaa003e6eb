-- What a debit changes is in no index, so it rewrites no index entry. The room in a page is for the row's next version.
-- The first index has spent lots, too: a program of the version before asks for `remaining_paise > 0`.
alter table wallet_lots set (fillfactor = 70);
alter table wallet_lots add column is_open boolean not null generated always as (remaining_paise > 0) stored;
drop index wallet_lots_open;
drop index wallet_lots_lapsing;
create index wallet_lots_of_user on wallet_lots (user_id, is_open, expires_at);
create index wallet_lots_lapsing on wallet_lots (expires_at) where is_open and expires_at is not null;
