-- additive
-- Identity providers (OpenID Connect): what they decide about rights, which of their users is which account, and sign-ins under way.
CREATE TABLE identity_provider (
  provider_id text PRIMARY KEY,
  -- The operator below whom accounts are made.
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  provider_name text NOT NULL,
  -- Of no two providers: it is half of who a user is.
  issuer text NOT NULL,
  client_id text NOT NULL,
  -- Sealed; null: a public client.
  client_secret bytea,
  scopes text NOT NULL,
  is_enabled boolean NOT NULL,
  creates_accounts boolean NOT NULL,
  links_by_email boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  CONSTRAINT identity_provider_issuer UNIQUE (issuer)
);
CREATE INDEX identity_provider_owner ON identity_provider (owner_id);

CREATE TABLE identity_mapping (
  provider_id text NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  -- The first that fits decides.
  position integer NOT NULL,
  claim text NOT NULL,
  value text NOT NULL,
  -- A row without a role gives nothing, and still decides: who fitted it does not fall to a row below.
  role_id text REFERENCES role ON DELETE SET NULL,
  organization_id text REFERENCES organization ON DELETE SET NULL,
  PRIMARY KEY (provider_id, position)
);
CREATE INDEX identity_mapping_role ON identity_mapping (role_id);
CREATE INDEX identity_mapping_organization ON identity_mapping (organization_id);

CREATE TABLE identity_link (
  issuer text NOT NULL,
  subject text NOT NULL,
  provider_id text NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- The provider made the account: its rights follow the mapping at each sign-in.
  is_managed boolean NOT NULL,
  user_label text NOT NULL,
  created_at bigint NOT NULL,
  last_used_at bigint NOT NULL,
  PRIMARY KEY (issuer, subject)
);
CREATE UNIQUE INDEX identity_link_account ON identity_link (account_id, provider_id);
CREATE INDEX identity_link_provider ON identity_link (provider_id);

-- Sign-ins under way; a row is used up by the answer.
CREATE TABLE identity_flow (
  -- SHA-256 of the state.
  state_hash bytea PRIMARY KEY,
  provider_id text NOT NULL REFERENCES identity_provider ON DELETE CASCADE,
  -- SHA-256 of the browser's cookie.
  cookie_hash bytea NOT NULL,
  -- Nonce and PKCE verifier, sealed.
  secrets bytea NOT NULL,
  purpose text NOT NULL,
  -- Whose session began it; null for signing in.
  session_id text,
  redirect_url text NOT NULL,
  created_at bigint NOT NULL,
  expires_at bigint NOT NULL,
  CONSTRAINT identity_flow_purpose_check CHECK (purpose IN ('signIn', 'link', 'proof')),
  CONSTRAINT identity_flow_session_check CHECK ((session_id IS NULL) = (purpose = 'signIn'))
);
CREATE INDEX identity_flow_provider ON identity_flow (provider_id);
CREATE INDEX identity_flow_until ON identity_flow (expires_at);

-- False: an identity provider is the only way in, and password_hash is of a secret that nobody has.
ALTER TABLE account ADD COLUMN has_password boolean NOT NULL DEFAULT true;
