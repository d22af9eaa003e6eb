-- A reason is a code. Its words are in contract/bank-shapes.ts.
update bank_rules
   set off_why = case off_why
         when 'A statement doesn’t show money that an alert reported' then 'alert-disproven'
         when 'Alert and statement differ for money that was approved' then 'sources-differ'
         when 'Two automatic approvals were taken back within a day' then 'taken-back-twice'
         when 'The nightly check found a fault in the bank’s records' then 'records-broken'
         else off_why end
 where off_why is not null;
update bank_devices
   set paused_why = case paused_why
         when 'Paused in the panel' then 'by-admin'
         when 'A statement doesn’t show money that an alert reported' then 'alert-disproven'
         when 'Its alert and another source disagree' then 'sources-differ'
         else paused_why end
 where paused_why is not null;
update bank_sightings set why = 'no reference and no balance' where why = 'No reference and no balance';
