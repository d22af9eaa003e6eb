-- Mails that a stranger could ask for are counted by the mailbox that they reach (server/sessions/own-email.ts).
create index outbox_messages_by_box on outbox_messages ((data ->> 'box'), created_at) where data ? 'box';
