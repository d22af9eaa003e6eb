-- Since 30 June 2025 UPI apps show only the name that the bank has for an address (NPCI, 24 April 2025).
-- The address before keeps its name, which comes back with it.
alter table settings
  add column payee_name text not null default '' check (length(payee_name) <= 50),
  add column upi_before text not null default '',
  add column payee_before text not null default '';
