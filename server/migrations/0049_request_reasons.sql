-- The store's own reasons are codes. Their words are in server/payments/reasons.ts.
update topup_requests
   set reason = case when reason = 'The account was closed' then 'account-closed'
                     else 'bank-shows ' || (translate(reason, 'The bank shows ₹,', '')::numeric * 100)::bigint end
 where reason = 'The account was closed' or reason ~ '^The bank shows ₹\d[\d,]{0,15}(\.\d{1,2})?$';
-- Who turned automatic approval on again stands in the audit log.
update bank_alarms set note = null where kind = 'automation-off' and note = 'Turned on again';
