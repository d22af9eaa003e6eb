-- An account's bank is a key of the list (contract/banks.ts), however it was spelt. Any other text is another bank.
-- One whose account is there under its key already stays as it is, and is another bank.
with spelt (key, names) as (values
  ('HDFC', '{hdfc,hdfc bank}'::text[]),
  ('SBI', '{sbi,state bank of india,sbi bank,state bank,yono sbi}'::text[]),
  ('ICICI', '{icici,icici bank}'::text[]),
  ('Axis', '{axis,axis bank,uti bank}'::text[]),
  ('Kotak', '{kotak,kotak mahindra bank,kotak mahindra,kotak bank,kotak 811}'::text[]),
  ('PNB', '{pnb,punjab national bank,pnb bank,punjab national}'::text[]),
  ('Bank of Baroda', '{bank of baroda,bob,baroda}'::text[]),
  ('Canara', '{canara,canara bank,syndicate bank}'::text[]),
  ('City Union', '{city union,city union bank,cub}'::text[]),
  ('Union', '{union,union bank of india,union bank,ubi,andhra bank,corporation bank}'::text[]),
  ('South Indian', '{south indian,south indian bank,sib}'::text[]),
  ('Indian Bank', '{indian bank,indian,allahabad bank}'::text[]),
  ('IDFC', '{idfc,idfc first bank,idfc bank,idfc first}'::text[]),
  ('IndusInd', '{indusind,indusind bank}'::text[]),
  ('Federal', '{federal,federal bank,fi,jupiter}'::text[]),
  ('Yes', '{yes,yes bank}'::text[]),
  ('IOB', '{iob,indian overseas bank,indian overseas}'::text[]),
  ('Bandhan', '{bandhan,bandhan bank}'::text[]),
  ('PSB', '{psb,punjab and sind bank,punjab and sind}'::text[]),
  ('Central Bank', '{central bank,central bank of india,cbi,cboi,central}'::text[]),
  ('Bank of India', '{bank of india,boi}'::text[]),
  ('UCO', '{uco,uco bank}'::text[]),
  ('IDBI', '{idbi,idbi bank}'::text[]),
  ('AU', '{au,au small finance bank,au bank,au sfb}'::text[]),
  ('RBL', '{rbl,rbl bank,ratnakar bank}'::text[]),
  ('Bank of Maharashtra', '{bank of maharashtra,bom,maharashtra,mahabank}'::text[]),
  ('Karnataka', '{karnataka,karnataka bank,kbl}'::text[]),
  ('Karur Vysya', '{karur vysya,karur vysya bank,kvb}'::text[]),
  ('IPPB', '{ippb,india post payments bank,india post payments}'::text[]),
  ('India Post', '{india post,post office savings bank,post office}'::text[]),
  ('Saraswat', '{saraswat,saraswat bank,saraswat co operative bank}'::text[]),
  ('Standard Chartered', '{standard chartered,standard chartered bank,stanchart,scb}'::text[]),
  ('Dhanlaxmi', '{dhanlaxmi,dhanlaxmi bank}'::text[]),
  ('Equitas', '{equitas,equitas small finance bank,equitas bank,equitas sfb}'::text[]),
  ('slice', '{slice,slice small finance bank,slice bank,north east sfb,nesfb}'::text[]),
  ('Jana', '{jana,jana small finance bank,jana bank,jana sfb,janalakshmi}'::text[]),
  ('NSDL', '{nsdl,nsdl payments bank,nsdl bank}'::text[]),
  ('Jio Payments Bank', '{jio payments bank,jio,jpb}'::text[]),
  ('Airtel', '{airtel,airtel payments bank,airtel bank}'::text[]),
  ('Fino', '{fino,fino payments bank,fino bank}'::text[]),
  ('Jammu & Kashmir', '{jammu and kashmir,jammu and kashmir bank,j and k bank,jk bank,j and k}'::text[]),
  ('Kerala Gramin', '{kerala gramin,kerala gramin bank,kgb}'::text[]),
  ('Karnataka Gramin', '{karnataka gramin,karnataka gramin bank}'::text[]),
  ('Baroda Gramin', '{baroda gramin,baroda up bank,baroda up gramin bank}'::text[]),
  ('Andhra Gramin', '{andhra gramin,andhra pradesh grameena bank,apgb}'::text[]),
  ('Tamil Nadu Grama', '{tamil nadu grama,tamil nadu grama bank,tngb}'::text[]),
  ('CSB', '{csb,csb bank,catholic syrian bank}'::text[]),
  ('DCB', '{dcb,dcb bank}'::text[]),
  ('TMB', '{tmb,tamilnad mercantile bank,tamilnad mercantile}'::text[]),
  ('Nainital', '{nainital,nainital bank}'::text[]),
  ('ESAF', '{esaf,esaf small finance bank,esaf bank}'::text[]),
  ('Ujjivan', '{ujjivan,ujjivan small finance bank,ujjivan bank,ujjivan sfb}'::text[]),
  ('Utkarsh', '{utkarsh,utkarsh small finance bank,utkarsh bank}'::text[]),
  ('Suryoday', '{suryoday,suryoday small finance bank,suryoday bank}'::text[]),
  ('Capital', '{capital,capital small finance bank,capital bank}'::text[]),
  ('Unity', '{unity,unity small finance bank,unity bank}'::text[]),
  ('DBS', '{dbs,dbs bank india,dbs bank,digibank,lakshmi vilas bank}'::text[]),
  ('HSBC', '{hsbc,hsbc india,hsbc bank}'::text[]),
  ('Cosmos', '{cosmos,cosmos co operative bank,cosmos bank}'::text[]),
  ('SVC', '{svc,svc co operative bank,svc bank,shamrao vithal}'::text[])
), plain as (
  select account.id, spelt.key, account.tail, account.closed_at
    from bank_accounts account
    join spelt on trim(regexp_replace(regexp_replace(regexp_replace(
                    replace(lower(account.bank), '&', ' and '), '[^a-z0-9]+', ' ', 'g'),
                    '\m(the|ltd|limited)\M', ' ', 'g'), ' +', ' ', 'g')) = any(spelt.names)
   where account.bank <> spelt.key
)
update bank_accounts account set bank = plain.key
  from plain
 where account.id = plain.id
   and (account.closed_at is not null
        or not exists (select from bank_accounts other
                        where other.id <> account.id and other.closed_at is null and other.tail = account.tail
                          and (lower(other.bank) = lower(plain.key)
                               or other.id < account.id
                                  and exists (select from plain twin where twin.id = other.id and twin.key = plain.key))));
