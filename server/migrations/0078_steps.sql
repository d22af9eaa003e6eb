-- From so many keys of a duration in one order on, each costs less: [{"from": 5, "price": 9000}, …] in paise. The
-- quantities rise, and the prices fall from below the list price.
alter table prices
  add column steps jsonb check (jsonb_typeof(steps) = 'array' and jsonb_array_length(steps) between 1 and 4);
