-- Accounts, their sessions, settings of the installation and the audit log. Times are milliseconds since 1970 UTC.
CREATE TABLE account (
  account_id text PRIMARY KEY,
  user_name text NOT NULL,
  user_name_key text NOT NULL UNIQUE,
  phone text UNIQUE,
  email text UNIQUE,
  password_hash text NOT NULL,
  user_type integer NOT NULL,
  -- The account whose objects a sub-account works on; null for accounts that own things themselves.
  owner_id text REFERENCES account ON DELETE CASCADE,
  created_by text REFERENCES account ON DELETE SET NULL,
  language integer,
  theme text,
  menu_order jsonb,
  home_layout text,
  is_enabled boolean NOT NULL DEFAULT true,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL
);
CREATE INDEX account_owner ON account (owner_id);

CREATE TABLE session (
  session_id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  token_hash bytea NOT NULL UNIQUE,
  browser_id text NOT NULL,
  client_type text NOT NULL,
  address text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  -- Set when the session was ended from outside: the code its token answers with from then on.
  end_code integer
);
CREATE INDEX session_account ON session (account_id);
CREATE INDEX session_expiry ON session (expires_at);

-- Browsers from which an account signed in before: they keep a budget of tries of their own (SE-01, SE-02).
CREATE TABLE known_browser (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  browser_id text NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (account_id, browser_id)
);

CREATE TABLE setting (
  name text PRIMARY KEY,
  value jsonb NOT NULL,
  version integer NOT NULL DEFAULT 1
);

CREATE TABLE audit_log (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  account_id text,
  session_id text,
  address text NOT NULL,
  call text NOT NULL,
  kind text NOT NULL,
  object text,
  code integer NOT NULL
);
CREATE INDEX audit_log_account ON audit_log (account_id, at DESC);

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is append-only';
END $$;
CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_log
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
