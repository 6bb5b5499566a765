-- Imports of devices from CSV files: what is still to be done lies sealed, since it holds passwords; what came of it lies open.
CREATE TABLE device_import (
  task_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- check, apply.
  mode text NOT NULL,
  is_probed boolean NOT NULL,
  -- running, finished, cancelled.
  state text NOT NULL,
  -- Rows of the file with their passwords; null once the import is over.
  sealed bytea,
  -- A result per row, in the order of the file.
  results jsonb NOT NULL,
  created_at bigint NOT NULL,
  -- When the row goes.
  expires_at bigint NOT NULL
);
CREATE INDEX device_import_account ON device_import (account_id, created_at);
