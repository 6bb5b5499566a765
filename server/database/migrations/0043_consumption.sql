-- additive
-- Consumption: a ledger of what was metered, its sums by day, and the operator's prices.

-- Only ever added to. What has the same source, sequence and meter is the same consumption, and counts once.
CREATE TABLE consumption_entry (
  -- 'traffic': a report of a site. 'recordings', 'copies': a measured hour. 'mail': a sent mail.
  source text NOT NULL,
  -- Distinguishes what one source says: the id of a report or mail, or an hour and its channel.
  sequence text NOT NULL,
  meter text NOT NULL,
  -- Not a reference: what was consumed stays counted when an account or organisation is deleted.
  account_id text NOT NULL,
  -- '0': none.
  organization_id text NOT NULL,
  at bigint NOT NULL,
  -- Byte-hours pass 2^63.
  amount numeric NOT NULL,
  -- Whether consumption_day has it.
  is_summed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (source, sequence, meter),
  CONSTRAINT consumption_entry_amount_check CHECK (amount >= 0)
);
CREATE INDEX consumption_entry_new ON consumption_entry (at) WHERE NOT is_summed;
CREATE INDEX consumption_entry_at ON consumption_entry (at);

-- Days of the installation's time zone.
CREATE TABLE consumption_day (
  start_time bigint NOT NULL,
  account_id text NOT NULL,
  organization_id text NOT NULL,
  meter text NOT NULL,
  amount numeric NOT NULL,
  PRIMARY KEY (start_time, account_id, organization_id, meter)
);
CREATE INDEX consumption_day_account ON consumption_day (account_id, start_time);

-- No row: no price.
CREATE TABLE meter_price (
  meter text PRIMARY KEY,
  price double precision NOT NULL,
  -- ISO 4217; the same in all rows.
  currency text NOT NULL
);
