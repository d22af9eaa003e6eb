-- The limits of automatic approval count what is credited, not what was paid: a plan credits more.
update bank_rules
   set unproven_paise = (select coalesce(sum(request.credit_paise), 0)
         from bank_matches match
         join bank_credits credit on credit.id = match.credit_id
         join topup_requests request on request.id = match.topup_id
        where match.how = 'auto' and match.released_at is null and credit.proof = 'alert'),
       day_paise = (select coalesce(sum(request.credit_paise), 0)
         from bank_matches match
         join topup_requests request on request.id = match.topup_id
        where match.how = 'auto' and (match.made_at at time zone 'Asia/Kolkata')::date = bank_rules.day);
