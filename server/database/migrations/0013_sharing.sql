-- Shares that wait to be accepted, hold at weekly hours, follow a role or are passed on; what was lost; links for guests.
ALTER TABLE share ADD COLUMN accepted_at bigint;
UPDATE share SET accepted_at = created_at;
-- {plan, timeZone}; null: at all hours.
ALTER TABLE share ADD COLUMN weekly_hours jsonb;
-- Share type 1: its rights are those of this role as they stand.
ALTER TABLE share ADD COLUMN role_id text;
ALTER TABLE share ADD COLUMN version integer NOT NULL DEFAULT 1;
CREATE INDEX share_role ON share (role_id) WHERE role_id IS NOT NULL;

-- What an account had by a share that is gone, so that its tile says that rather than that there is no such device.
CREATE TABLE lost_share (
  grantee_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- Who owned it then: a device that changed hands since is a stranger's.
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  organization_id text REFERENCES organization ON DELETE CASCADE,
  device_id text REFERENCES device ON DELETE CASCADE,
  channel_no integer,
  ended_at bigint NOT NULL
);
CREATE INDEX lost_share_grantee ON lost_share (grantee_id);
CREATE INDEX lost_share_ended ON lost_share (ended_at);

CREATE TABLE share_link (
  -- SHA-256 of the word in the address, hex.
  link_hash text PRIMARY KEY,
  -- The word itself with the master key, so that its maker can copy the address again.
  sealed bytea NOT NULL,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  channel_no integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('live', 'clip')),
  -- Range of a clip.
  clip_start bigint,
  clip_end bigint,
  link_name text NOT NULL,
  password_hash text,
  end_time bigint NOT NULL,
  revoked_at bigint,
  open_count integer NOT NULL DEFAULT 0,
  last_open_at bigint,
  created_at bigint NOT NULL,
  CHECK ((kind = 'clip') = (clip_start IS NOT NULL AND clip_end IS NOT NULL))
);
CREATE INDEX share_link_owner ON share_link (owner_id, created_at);

-- Set where a guest uses the ticket: then the link and its maker's right count, and no session.
ALTER TABLE media_ticket ADD COLUMN link_hash text;
