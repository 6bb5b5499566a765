-- additive
-- Object stores (S3) of the installation, and which channels copy their recordings into them.
CREATE TABLE object_store (
  store_id text PRIMARY KEY,
  store_name text NOT NULL,
  endpoint text NOT NULL,
  region text NOT NULL,
  bucket text NOT NULL,
  is_path_style boolean NOT NULL,
  access_key text NOT NULL,
  -- Encrypted with the master key, bound to store_id.
  secret_key bytea NOT NULL,
  prefix text NOT NULL,
  is_default boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
CREATE UNIQUE INDEX object_store_default ON object_store (is_default) WHERE is_default;

CREATE TABLE cloud_plan (
  channel_id text PRIMARY KEY REFERENCES channel ON DELETE CASCADE,
  store_id text NOT NULL REFERENCES object_store,
  -- EN-22: 2 event video, 3 continuous video.
  combo_type integer NOT NULL,
  days integer NOT NULL,
  created_at bigint NOT NULL,
  CONSTRAINT cloud_plan_combo_type_check CHECK (combo_type IN (2, 3)),
  CONSTRAINT cloud_plan_days_check CHECK (days > 0)
);
CREATE INDEX cloud_plan_store ON cloud_plan (store_id);
