-- From this amount on, a person approves only what stands in the bank; null for never.
alter table settings
  add column careful_above_paise bigint default 1000000 check (careful_above_paise > 0),
  -- The sales of a financial year at which the owner wants to know; null for none.
  add column turnover_line_paise bigint default 200000000 check (turnover_line_paise > 0);
