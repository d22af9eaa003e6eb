-- What the application's role may do, repeated at every start. It works on rows and never on the schema;
-- the ledger and the audit log can only be added to.
grant usage on schema public to chaabi_app;
grant select, insert, update, delete on all tables in schema public to chaabi_app;
grant usage, select on all sequences in schema public to chaabi_app;
revoke update, delete, truncate on wallet_movements, wallet_entries, audit_entries, consents from chaabi_app;
revoke delete, truncate on orders, wallets, wallet_lots, wallet_deductions, topup_requests, users from chaabi_app;
revoke delete, truncate on products, prices, sold_names from chaabi_app;
revoke delete, truncate on bank_credits, bank_credit_refs, bank_matches, bank_imports from chaabi_app;
revoke insert, update, delete, truncate on schema_migrations from chaabi_app;
