-- A request keeps the UPI ID that its buyer saw. Null for older requests, and for a store without a UPI ID.
alter table topup_requests
  add column paid_to text,
  add column paid_to_name text;
-- A dialog that was open at the change may still name the address before.
alter table settings add column upi_changed_at timestamptz;
