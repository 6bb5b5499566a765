-- additive
-- Trials: more of some quotas for some days, applied for by an account and granted by the operator.
CREATE TABLE trial (
  trial_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- [{ quota, amount }]
  extras jsonb NOT NULL,
  days integer NOT NULL,
  note text NOT NULL,
  applied_at bigint NOT NULL,
  -- Null: nobody has answered yet.
  decided_at bigint,
  -- Null where it was refused or is not answered: what was granted ends by itself.
  ends_at bigint,
  CONSTRAINT trial_days_check CHECK (days > 0),
  CONSTRAINT trial_ends_check CHECK (ends_at IS NULL OR decided_at IS NOT NULL)
);
-- One application waits at a time.
CREATE UNIQUE INDEX trial_waiting ON trial (account_id) WHERE decided_at IS NULL;
CREATE INDEX trial_account ON trial (account_id);
