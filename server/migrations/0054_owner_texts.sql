-- The owner's texts in other languages, by their names on the wire ("nameHi"). A text that is absent stays in English.
alter table products add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
alter table settings add column translations jsonb not null default '{}' check (jsonb_typeof(translations) = 'object');
