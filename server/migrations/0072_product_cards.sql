-- What a messenger shows for a link to a product: its picture in the shape of such cards.
alter table pictures
  add column card bytea check (octet_length(card) between 1 and 122880),
  add column card_name text unique,
  add check ((card is null) = (card_name is null));
alter table pictures alter column card set storage external;
