-- Groups that buyers join by what they buy in 90 days. What an admin decides by hand wins, also that it is no group.
alter table buyer_groups add column from_spent_paise bigint unique check (from_spent_paise > 0);

alter table users add column group_by text not null default 'spend' check (group_by in ('hand', 'spend'));
update users set group_by = 'hand' where group_id is not null;
