-- How much was sent of late: by target, by account and by all. Times are milliseconds since 1970 UTC.

CREATE TABLE send_budget (
  -- SHA-256 of what is counted: no address is kept.
  key text PRIMARY KEY,
  -- When all of the budget is free again; each message moves it on by its share of the hour.
  full_at bigint NOT NULL
);
