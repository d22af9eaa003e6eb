-- The steps of the setup guide that an admin has marked, by name: 'done' or 'skipped'. The store finds most of them done
-- by itself (reports/guide.ts).
alter table settings add column guide jsonb not null default '{}';
