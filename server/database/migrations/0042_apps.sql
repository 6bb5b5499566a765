-- additive
-- Apps of third parties (OAuth 2 clients), what accounts allow them, and the records of the provider.
CREATE TABLE app (
  app_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  app_name text NOT NULL,
  -- A picture as a data URL; empty: none.
  logo text NOT NULL,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  -- A public app keeps no secret: it runs on the user's own machine or in a page.
  is_public boolean NOT NULL,
  is_enabled boolean NOT NULL,
  -- By an operator, for accounts other than its owner.
  is_approved boolean NOT NULL DEFAULT false,
  -- SHA-256; the old secret works beside the new one until its time.
  secret_hash bytea,
  old_secret_hash bytea,
  old_secret_until bigint,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  CONSTRAINT app_secret_check CHECK (is_public = (secret_hash IS NULL)),
  CONSTRAINT app_old_secret_check CHECK ((old_secret_hash IS NULL) = (old_secret_until IS NULL))
);
CREATE INDEX app_owner ON app (owner_id);

-- What an account allows an app; withdrawn with its row.
CREATE TABLE app_grant (
  grant_id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES app ON DELETE CASCADE,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  scopes text[] NOT NULL,
  end_time bigint,
  created_at bigint NOT NULL,
  last_used_at bigint
);
CREATE INDEX app_grant_app ON app_grant (app_id);
CREATE INDEX app_grant_account ON app_grant (account_id);

CREATE TABLE app_grant_item (
  grant_id text NOT NULL REFERENCES app_grant ON DELETE CASCADE,
  -- Whose object it was; where it changes hands, the item opens nothing.
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  organization_id text REFERENCES organization ON DELETE CASCADE,
  device_id text REFERENCES device ON DELETE CASCADE,
  CONSTRAINT app_grant_item_object_check CHECK ((organization_id IS NULL) <> (device_id IS NULL))
);
CREATE INDEX app_grant_item_grant ON app_grant_item (grant_id);
CREATE INDEX app_grant_item_owner ON app_grant_item (owner_id);
CREATE INDEX app_grant_item_organization ON app_grant_item (organization_id);
CREATE INDEX app_grant_item_device ON app_grant_item (device_id);

-- Tokens, codes and interactions of the provider; a token is found by its SHA-256 and stands nowhere in clear.
CREATE TABLE oidc_record (
  model text NOT NULL,
  id_hash bytea NOT NULL,
  payload bytea NOT NULL,
  app_id text REFERENCES app ON DELETE CASCADE,
  grant_id text,
  user_code_hash bytea,
  uid_hash bytea,
  scopes text[] NOT NULL,
  consumed_at bigint,
  expires_at bigint,
  PRIMARY KEY (model, id_hash)
);
CREATE INDEX oidc_record_grant ON oidc_record (grant_id);
CREATE INDEX oidc_record_app ON oidc_record (app_id);
CREATE INDEX oidc_record_user_code ON oidc_record (user_code_hash);
CREATE INDEX oidc_record_uid ON oidc_record (uid_hash);
CREATE INDEX oidc_record_expiry ON oidc_record (expires_at);

-- Keys that sign identity tokens, sealed; the newest signs, the others are still published.
CREATE TABLE oidc_key (
  key_id text PRIMARY KEY,
  private_key bytea NOT NULL,
  created_at bigint NOT NULL
);
