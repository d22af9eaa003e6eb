-- The reminder that credit expires is called as in its design, before a release has the other name.
update message_choices set kind = 'credit.lapsing' where kind = 'credit.expiring';
update outbox_messages
   set kind = 'credit.lapsing', dedupe = replace(dedupe, 'credit.expiring:', 'credit.lapsing:')
 where kind = 'credit.expiring';
