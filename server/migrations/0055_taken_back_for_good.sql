-- What an admin had deducted from a top-up for a time came back, although the top-up itself had been taken back.
update wallet_deductions deduction set returned_at = now()
  from topup_requests request
  join wallet_movements movement on movement.topup_id = request.id and movement.kind = 'topup'
  join wallet_lots lot on lot.movement_id = movement.id
 where request.taken_back is not null and deduction.lot_id = lot.id and deduction.returned_at is null;
