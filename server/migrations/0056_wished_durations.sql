-- A duration's row can be given another text. A buyer gets the duration that he asked for, or none.
alter table order_wishes add column duration text;
update order_wishes wish set duration = price.duration from prices price where price.id = wish.price_id;
alter table waiting_places add column duration text;
update waiting_places place set duration = price.duration from prices price where price.id = place.price_id;
