-- additive
-- Warnings of months that are nearly or wholly used up: each is sent once.
CREATE TABLE budget_warning (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  quota text NOT NULL,
  month_start bigint NOT NULL,
  percent integer NOT NULL,
  warned_at bigint NOT NULL,
  PRIMARY KEY (account_id, quota, month_start, percent),
  CONSTRAINT budget_warning_percent_check CHECK (percent IN (80, 100))
);
