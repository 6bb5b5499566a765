-- Roles with the places they hold in, where sub-accounts are placed, and groups of devices.
CREATE TABLE role (
  role_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  role_name text NOT NULL,
  role_name_key text NOT NULL,
  permissions text[] NOT NULL,
  -- It holds in places of its own; else wherever its accounts are placed. One that lost all its places opens nothing.
  is_bound boolean NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  UNIQUE (owner_id, role_name_key)
);

CREATE TABLE role_resource (
  role_id text NOT NULL REFERENCES role ON DELETE CASCADE,
  organization_id text REFERENCES organization ON DELETE CASCADE,
  device_id text REFERENCES device ON DELETE CASCADE,
  channel_no integer,
  CHECK ((organization_id IS NULL) <> (device_id IS NULL)),
  CHECK (channel_no IS NULL OR device_id IS NOT NULL)
);
CREATE INDEX role_resource_role ON role_resource (role_id);
CREATE INDEX role_resource_organization ON role_resource (organization_id);
CREATE INDEX role_resource_device ON role_resource (device_id);

CREATE TABLE account_role (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  role_id text NOT NULL REFERENCES role ON DELETE CASCADE,
  PRIMARY KEY (account_id, role_id)
);
CREATE INDEX account_role_role ON account_role (role_id);

CREATE TABLE account_organization (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  organization_id text NOT NULL REFERENCES organization ON DELETE CASCADE,
  PRIMARY KEY (account_id, organization_id)
);
CREATE INDEX account_organization_organization ON account_organization (organization_id);
INSERT INTO account_organization (account_id, organization_id)
  SELECT DISTINCT grantee_id, organization_id FROM grant_row WHERE source = 'role' AND organization_id IS NOT NULL;

-- Counts what others changed about the account; its own profile has a version of its own.
ALTER TABLE account ADD COLUMN member_version integer NOT NULL DEFAULT 1;

CREATE TABLE device_group (
  group_id text PRIMARY KEY,
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  group_name text NOT NULL,
  group_name_key text NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  UNIQUE (owner_id, group_name_key)
);

-- A device without a row stands in the default group, which is none of the table.
CREATE TABLE device_group_member (
  owner_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  device_id text NOT NULL REFERENCES device ON DELETE CASCADE,
  group_id text NOT NULL REFERENCES device_group ON DELETE CASCADE,
  PRIMARY KEY (owner_id, device_id)
);
CREATE INDEX device_group_member_group ON device_group_member (group_id);
CREATE INDEX device_group_member_device ON device_group_member (device_id);
