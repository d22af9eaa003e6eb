-- What each duration sold on a day in India, what was left, and how long it was out of stock. A job looks every few
-- minutes, so that the speed of sales counts only the hours in which there was something to sell.
create table stock_days (
  price_id      uuid not null references prices,
  day           date not null,
  sold          int not null,
  left_over     int not null,
  empty_minutes int not null,
  -- When the job looked last.
  seen_at       timestamptz not null,
  primary key (price_id, day)
);

-- An alarm rings once when stock crosses its mark, and again only after a refill above 1.5 times the mark.
create table stock_alarms (
  price_id  uuid primary key references prices,
  armed     boolean not null default true,
  fired_at  timestamptz,
  -- The same for the last key.
  out_armed boolean not null default true,
  out_at    timestamptz
);
