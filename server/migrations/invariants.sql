-- What must hold at every moment. Each check is a query that finds what breaks it: no rows means that it
-- holds. The line before a query names it; `npm run doctor` and the tests run them all.
-- [bank]: automatic approval goes off where it is broken. [recount]: `npm run doctor -- --recount` mends it.

-- I1 No key is sold twice, and every sold key belongs to the buyer of its order
select key.id::text as broken from license_keys key join orders on orders.id = key.order_id
 where key.assigned_to <> orders.user_id or key.price_id <> orders.price_id;

-- I2 No wallet and no lot is below zero
select user_id::text as broken from wallets where balance_paise < 0
union all
select id::text from wallet_lots where remaining_paise < 0 or remaining_paise > amount_paise;

-- I3 Every movement is the sum of its entries, and the whole ledger adds up to zero
select movement.id::text as broken
  from wallet_movements movement left join wallet_entries entry on entry.movement_id = movement.id
 group by movement.id having movement.amount_paise <> coalesce(sum(entry.amount_paise), 0)
union all
select 'ledger' from ledger_postings having coalesce(sum(amount_paise), 0) <> 0;

-- I4a A balance is what is left of its lots
select wallet.user_id::text as broken
  from wallets wallet left join wallet_lots lot on lot.user_id = wallet.user_id
 group by wallet.user_id having wallet.balance_paise <> coalesce(sum(lot.remaining_paise), 0);

-- I4b A balance is the sum of its movements, and the newest movement says so
select wallet.user_id::text as broken
  from wallets wallet left join wallet_movements movement on movement.user_id = wallet.user_id
 group by wallet.user_id having wallet.balance_paise <> coalesce(sum(movement.amount_paise), 0)
union all
select wallet.user_id::text
  from wallets wallet cross join lateral (
       select balance_after_paise from wallet_movements where user_id = wallet.user_id order by seq desc limit 1) newest
 where newest.balance_after_paise <> wallet.balance_paise;

-- I4c What is left of a lot is the sum of its entries
select lot.id::text as broken
  from wallet_lots lot left join wallet_entries entry on entry.lot_id = lot.id
 group by lot.id having lot.remaining_paise <> coalesce(sum(entry.amount_paise), 0);

-- I5 A purchase is whole: as many keys as its quantity, besides those given for bad ones, and one debit of its amount
select orders.id::text as broken
  from orders left join license_keys key on key.order_id = orders.id and key.replaces is null
 group by orders.id having count(key.id) <> orders.quantity
union all
select orders.id::text
  from orders left join wallet_movements movement on movement.order_id = orders.id and movement.kind = 'purchase'
 where movement.amount_paise is distinct from -orders.amount_paise or movement.user_id is distinct from orders.user_id;

-- I6 A top-up is credited once, with the credit that was promised, and is approved while that was not taken back
select request.id::text as broken
  from topup_requests request
  left join wallet_movements movement on movement.topup_id = request.id and movement.kind = 'topup'
 where (request.status = 'approved') <> (movement.id is not null and request.taken_back is null
         and not exists (select from bank_matches where topup_id = request.id and released_at is not null))
    or movement.amount_paise <> request.credit_paise or movement.user_id <> request.user_id
union all
select topup_id::text from wallet_movements where kind = 'topup' group by topup_id having count(*) > 1;

-- I7 A referral code counts its uses, and never more than it allows
select referral_codes.id::text as broken
  from referral_codes left join referral_uses on referral_uses.referral_id = referral_codes.id
 group by referral_codes.id
having referral_codes.usage_count <> count(referral_uses.user_id)
    or referral_codes.usage_count > referral_codes.max_usage;

-- I10 Time runs forward: a sold key ends after it began, and a history's balances follow from one another
select id::text as broken from license_keys where expires_at <= assigned_at
union all
select id::text from (
  select id, balance_after_paise - amount_paise as before,
         lag(balance_after_paise, 1, 0::bigint) over (partition by user_id order by seq) as previous
    from wallet_movements) line
 where before <> previous;

-- I11 The stock counters count the stock [recount]
select price_id::text as broken from (
  select price_id, sum(available) as counted, 0 as there from stock_counters group by price_id
  union all
  select price_id, 0, count(*) from license_keys where order_id is null group by price_id) stock
 group by price_id having sum(counted) <> sum(there);

-- I12 A batch counts its keys: those that it brought, less those deleted
select batch.id::text as broken
  from key_batches batch left join license_keys key on key.batch_id = batch.id
 group by batch.id having batch.added - batch.removed <> count(key.id);

-- I13 What was sold of a batch is counted, and its keys are between the arrival numbers that it remembers [recount]
select batch_id::text as broken from (
  select batch_id, sum(sold) as counted, 0 as there from batch_counters group by batch_id
  union all
  select batch_id, 0, count(*) from license_keys
   where batch_id is not null and order_id is not null group by batch_id) sold
 group by batch_id having sum(counted) <> sum(there)
union all
select key.id::text from license_keys key join key_batches batch on batch.id = key.batch_id
 where key.price_id <> batch.price_id or (key.seq between batch.first_seq and batch.last_seq) is not true;

-- I14 A bank credit pays for at most one request, and one request is paid by at most one [bank]
select credit_id::text as broken from bank_matches where released_at is null group by credit_id having count(*) > 1
union all
select topup_id::text from bank_matches where released_at is null group by topup_id having count(*) > 1;

-- I15 What was matched is what was paid: amount, kind, account, and the request stands [bank]
select match.id::text as broken from bank_matches match
  join bank_credits credit on credit.id = match.credit_id
  join topup_requests request on request.id = match.topup_id
 where match.released_at is null and (request.amount_paise <> credit.amount_paise or request.status <> 'approved'
    or credit.kind <> 'payment' or credit.set_aside_at is not null);

-- I16 An automatic approval has the reference of its credit, and one of the store's proofs [bank]
select match.id::text as broken from bank_matches match join topup_requests request on request.id = match.topup_id
 where match.how = 'auto' and match.released_at is null
   and (request.decided_by is not null
        or not exists (select from bank_credit_refs ref
                        where ref.credit_id = match.credit_id and ref.ref = request.utr));

-- I17 The unproven sum is what automatic approvals have credited for money that no statement has shown [bank] [recount]
select 'unproven' as broken from bank_rules where unproven_paise <> (select coalesce(sum(request.credit_paise), 0)
  from bank_matches match join bank_credits credit on credit.id = match.credit_id
  join topup_requests request on request.id = match.topup_id
 where match.how = 'auto' and match.released_at is null and credit.proof = 'alert');

-- I18 Every credit comes from a file or an alert, and every approval without an admin is a match [bank]
select credit.id::text as broken
  from bank_credits credit
 where credit.import_id is null and not exists (select from bank_sightings where credit_id = credit.id)
union all
select request.id::text
  from topup_requests request
 where request.status = 'approved' and request.decided_by is null
   and not exists (select from bank_matches where topup_id = request.id and how = 'auto' and released_at is null);

-- I19 What was taken back is not more than was credited, its loss is the rest, and nothing of it returns later
select topup_id::text as broken from wallet_movements
 where topup_id is not null and kind in ('topup', 'reversal')
 group by topup_id having sum(amount_paise) < 0
union all
select request.id::text
  from topup_requests request join wallet_movements movement on movement.topup_id = request.id
 where request.taken_back is not null
 group by request.id having sum(movement.amount_paise) <> request.loss_paise
union all
select request.id::text
  from topup_requests request
  join wallet_movements movement on movement.topup_id = request.id and movement.kind = 'topup'
  join wallet_lots lot on lot.movement_id = movement.id
  join wallet_deductions deduction on deduction.lot_id = lot.id and deduction.returned_at is null
 where request.taken_back is not null;

-- I20 What the store bought for a waiting buyer is his order of that price, for no more than he allowed
select place.id::text as broken from waiting_places place join orders on orders.id = place.order_id
 where orders.user_id <> place.user_id or orders.price_id <> place.price_id
    or (orders.amount_paise <= place.auto_max_paise) is not true;

-- I22 What the store bought with a top-up is the buyer's order as wished for, of an approval that was not rejected
select wish.topup_id::text as broken
  from order_wishes wish
  join topup_requests request on request.id = wish.topup_id
  left join orders on orders.id = wish.order_id
 where request.user_id <> wish.user_id
    or (wish.order_id is not null
        and (orders.user_id = wish.user_id and orders.price_id = wish.price_id and orders.quantity = wish.quantity
             and orders.unit_paise <= wish.expected_paise
             and exists (select from wallet_movements where topup_id = wish.topup_id and kind = 'topup')) is not true);

-- I21 Nothing without a proof was approved automatically [bank]
select id::text as broken from bank_matches where how = 'auto' and released_at is null and proof_then = 'none'
union all
select match.id::text from bank_matches match join bank_credits credit on credit.id = match.credit_id
 where match.how = 'auto' and match.released_at is null and credit.proof = 'none';

-- I23 A purchase's refunds are its refund movements, each of one claim, and no key gets back more than it cost
select orders.id::text as broken
  from orders left join wallet_movements movement on movement.order_id = orders.id and movement.kind = 'refund'
 group by orders.id having orders.refunded_paise <> coalesce(sum(movement.amount_paise), 0)
union all
select movement.id::text
  from wallet_movements movement left join key_claims claim on claim.movement_id = movement.id
 where movement.kind = 'refund' and movement.order_id is not null
   and (claim.order_id = movement.order_id and claim.user_id = movement.user_id
        and claim.refund_paise = movement.amount_paise) is not true
union all
select claim.key_id::text
  from key_claims claim join orders on orders.id = claim.order_id
 where claim.status = 'refunded'
 group by claim.key_id, orders.unit_paise having count(*) > 1 or sum(claim.refund_paise) > orders.unit_paise;

-- I24 A new key is of the same purchase and price as the bad one, and the claim of that one says so
select given.id::text as broken
  from license_keys given
  join license_keys bad on bad.id = given.replaces
  left join key_claims claim on claim.key_id = bad.id and claim.status = 'replaced'
 where (given.order_id = bad.order_id and given.price_id = bad.price_id and claim.replacement_id = given.id) is not true
union all
select claim.id::text
  from key_claims claim left join license_keys given on given.id = claim.replacement_id
 where claim.status = 'replaced' and given.replaces is distinct from claim.key_id;

-- I25 The text of a recalled key is not among the keys
select withdrawn.id::text as broken
  from withdrawn_keys withdrawn join license_keys key on key.fingerprint = withdrawn.fingerprint;

-- I26 No id leads nowhere: an order's buyer, product and price are there, and a movement's wallet
select orders.id::text as broken
  from orders
  left join users buyer on buyer.id = orders.user_id
  left join prices price on price.id = orders.price_id and price.product_id = orders.product_id
 where buyer.id is null or price.id is null
union all
select movement.id::text
  from wallet_movements movement left join wallets wallet on wallet.user_id = movement.user_id
 where wallet.user_id is null;

-- I27 The books of days that are over have what the ledger has of sales, day by day
select coalesce(book.day, line.day)::text as broken
  from (select day, sum(revenue_paise) as sold, sum(refunded_paise) as refunded from book_days group by day) book
  full join (
       select (created_at at time zone 'Asia/Kolkata')::date as day,
              coalesce(-sum(amount_paise) filter (where kind = 'purchase'), 0) as sold,
              coalesce(sum(amount_paise) filter (where kind = 'refund'), 0) as refunded
         from wallet_movements where kind in ('purchase', 'refund') group by 1) line using (day)
 where coalesce(book.day, line.day) <= (select closed_through from book_closing)
   and (coalesce(book.sold, 0) <> coalesce(line.sold, 0) or coalesce(book.refunded, 0) <> coalesce(line.refunded, 0));

-- I30 What a program bought was bought by a token of its buyer that may buy, after it was made, under a number
select orders.id::text as broken
  from orders left join api_tokens token on token.id = orders.token_id
 where orders.token_id is not null
   and (token.user_id = orders.user_id and token.can_buy and token.created_at <= orders.created_at
        and orders.idempotency_key is not null) is not true;

-- I31 A renewal's order is its buyer's, of its price, for no more than he allowed, not before the end, and one that
-- repeats was told of 20 hours before
select renewal.order_id::text as broken
  from renewals renewal
  join orders renewed on renewed.id = renewal.order_id
  left join orders next on next.id = renewal.next_id
 where renewed.user_id <> renewal.user_id or renewed.price_id <> renewal.price_id
    or (renewal.next_id is not null
        and (next.user_id = renewal.user_id and next.price_id = renewal.price_id and next.id <> renewal.order_id
             and next.quantity <= renewal.quantity and next.unit_paise <= renewal.max_paise
             and next.created_at >= renewal.due_at
             and (not renewal.is_repeat or next.created_at >= renewal.told_at + interval '20 hours')) is not true);

-- I28 A key of a supply order is of its price, and only an order whose keys came has any, no more than came
select bought.id::text as broken
  from supply_orders bought
  join supply_keys line on line.order_id = bought.id
  join license_keys key on key.id = line.key_id
  join prices price on price.id = key.price_id
  join prices wanted on wanted.id = bought.price_id
 group by bought.id
having bought.state <> 'came' or count(*) > bought.came or bool_or(price.product_id <> wanted.product_id);

-- I29 What was ordered for a buyer is bought before its end or not at all, and one that ended without may buy no more
select place.id::text as broken
  from waiting_places place left join orders on orders.id = place.order_id
 where place.fetch_until is not null
   and (orders.created_at >= place.fetch_until
        or place.fetch_end is not null and (place.order_id is not null or place.auto_max_paise is not null))
union all
select user_id::text
  from waiting_places where ended_at is null and fetch_until is not null and fetch_end is null
 group by user_id having count(*) > 1;

-- I32 A paid invitation has the rewards of its buyers and sums, together at most half of what the friend paid by a
-- request of his own. Only the inviter's can be missing
select invite.friend_id::text as broken
  from invites invite
  join topup_requests request on request.id = invite.topup_id
  left join wallet_movements reward on reward.id = invite.reward_id
  left join wallet_movements friends on friends.id = invite.friend_reward_id
 where (request.user_id = invite.friend_id and request.filed_by is null and request.amount_paise >= invite.min_paise
        and 2 * (coalesce(reward.amount_paise, 0) + coalesce(friends.amount_paise, 0)) <= request.amount_paise
        and (reward.id is null or reward.kind = 'referral_reward' and reward.user_id = invite.inviter_id
                                  and reward.amount_paise = invite.reward_paise)
        and (friends.id is null) = (invite.friend_paise = 0)
        and (friends.id is null or friends.kind = 'referral_reward' and friends.user_id = invite.friend_id
                                   and friends.amount_paise = invite.friend_paise)
        and (invite.taken_back_at is null or request.taken_back is not null)) is not true;

-- I34 Nobody has bought more of a duration than one buyer may, since that limit holds
select orders.user_id || ' ' || orders.price_id as broken
  from orders join prices price on price.id = orders.price_id
 where price.per_buyer is not null and orders.created_at >= price.limit_since
 group by orders.user_id, orders.price_id, price.per_buyer
having sum(orders.quantity) > price.per_buyer;

-- I35 The steps of a duration rise in quantity and fall in price, from below a list price above zero
select id::text as broken
  from (
  select price.id, price.list_paise, step.value, lag(step.value) over (partition by price.id order by step.n) as before
    from prices price cross join lateral jsonb_array_elements(price.steps) with ordinality as step (value, n)) line
 where ((value ->> 'from')::int between 2 and 100 and (value ->> 'price')::bigint > 0
        and (list_paise = 0 or (value ->> 'price')::bigint < list_paise)
        and (before is null or (value ->> 'from')::int > (before ->> 'from')::int
                               and (value ->> 'price')::bigint < (before ->> 'price')::bigint)) is not true;

-- I33 A redeemed code is one credit of its batch's amount to its buyer, from its maker, before both ends, and borne by
-- promotions if it is a gift. An account has one gift of a batch, and a batch no more codes than it counts
select code.movement_id::text as broken
  from redeem_codes code
  join code_batches batch on batch.id = code.batch_id
  left join wallet_movements movement on movement.id = code.movement_id
  left join wallet_entries entry on entry.movement_id = movement.id
 where code.user_id is not null
   and (movement.kind = 'admin_credit' and movement.user_id = code.user_id and movement.admin_id = batch.admin_id
        and movement.amount_paise = batch.amount_paise and entry.amount_paise = batch.amount_paise
        and entry.account = case when batch.is_sold then 'adjustments' else 'promotions' end
        and movement.created_at = code.redeemed_at and code.one_each = not batch.is_sold
        and code.redeemed_at < batch.code_until and code.redeemed_at <= coalesce(batch.ended_at, code.redeemed_at))
       is not true
union all
select batch_id || ' ' || user_id from redeem_codes
 where one_each and user_id is not null group by batch_id, user_id having count(*) > 1
union all
select batch.id::text
  from code_batches batch join redeem_codes code on code.batch_id = batch.id
 group by batch.id having count(*) > batch.count;
