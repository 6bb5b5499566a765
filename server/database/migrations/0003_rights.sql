-- Grants, shares, revocations and the tickets that must end with them.
CREATE TABLE share (
  share_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  grantee_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  share_type integer NOT NULL,
  share_name text NOT NULL,
  description text NOT NULL,
  start_time bigint,
  end_time bigint,
  created_at bigint NOT NULL
);
CREATE INDEX share_owner ON share (owner_id);
CREATE INDEX share_grantee ON share (grantee_id);

CREATE TABLE grant_row (
  grant_id text PRIMARY KEY,
  grantee_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- Whose objects are opened; where the object changes hands, the grant opens nothing.
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  object_kind text NOT NULL CHECK (object_kind IN ('organization', 'device', 'channel')),
  organization_id text REFERENCES organization ON DELETE CASCADE,
  device_id text REFERENCES device ON DELETE CASCADE,
  channel_no integer,
  permissions text[] NOT NULL,
  start_time bigint,
  end_time bigint,
  source text NOT NULL CHECK (source IN ('role', 'share')),
  share_id text REFERENCES share ON DELETE CASCADE,
  CHECK ((object_kind = 'organization') = (organization_id IS NOT NULL)),
  CHECK ((object_kind <> 'organization') = (device_id IS NOT NULL)),
  CHECK ((object_kind = 'channel') = (channel_no IS NOT NULL)),
  CHECK ((source = 'share') = (share_id IS NOT NULL))
);
CREATE INDEX grant_row_grantee ON grant_row (grantee_id);
CREATE INDEX grant_row_share ON grant_row (share_id);
CREATE INDEX grant_row_device ON grant_row (device_id);
CREATE INDEX grant_row_organization ON grant_row (organization_id);

-- What was taken from whom. The sequence orders it; NOTIFY only wakes the followers.
CREATE TABLE revocation (
  seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at bigint NOT NULL,
  -- The account whose rights or sessions changed; null concerns all that touch the device.
  account_id text,
  session_id text,
  device_serial text,
  reason text NOT NULL
);

CREATE FUNCTION wake_revocation() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('vedette_revocation', '');
  RETURN NULL;
END $$;
CREATE TRIGGER revocation_wake AFTER INSERT ON revocation FOR EACH STATEMENT EXECUTE FUNCTION wake_revocation();

-- Rows live as long as the site may still serve the ticket. No foreign keys: a ticket outlives its objects until it is revoked.
CREATE TABLE media_ticket (
  ticket_id text PRIMARY KEY,
  ticket_hash text NOT NULL,
  account_id text NOT NULL,
  session_id text NOT NULL,
  kind text NOT NULL,
  action text NOT NULL,
  device_serial text NOT NULL,
  channel_no integer NOT NULL,
  quality integer NOT NULL,
  start_time bigint,
  end_time bigint,
  probe_id text,
  share_id text,
  created_at bigint NOT NULL,
  first_use_before bigint NOT NULL,
  until bigint
);
CREATE INDEX media_ticket_account ON media_ticket (account_id);
CREATE INDEX media_ticket_device ON media_ticket (device_serial);
