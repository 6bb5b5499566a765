-- additive
-- How an account wants dates and times written; null leaves it to the installation.
ALTER TABLE account ADD COLUMN date_order text CONSTRAINT account_date_order_check CHECK (date_order IN ('yearFirst', 'monthFirst', 'dayFirst'));
ALTER TABLE account ADD COLUMN clock_hours smallint CONSTRAINT account_clock_hours_check CHECK (clock_hours IN (12, 24));
