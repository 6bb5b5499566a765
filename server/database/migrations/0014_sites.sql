-- Sites: places with cameras. Each device belongs to one; the one beside the server is there from the beginning.
CREATE TABLE site (
  site_id text PRIMARY KEY,
  owner_id text REFERENCES account ON DELETE CASCADE,
  site_name text NOT NULL,
  serial text UNIQUE,
  credential_hash text,
  code_hash text,
  code_until bigint,
  -- Wrong codes since the code was given out.
  code_tries integer NOT NULL DEFAULT 0,
  product_version text NOT NULL DEFAULT '',
  -- Where its connection came from last.
  public_address text NOT NULL DEFAULT '',
  -- Of its own network interfaces, as it says itself.
  direct_addresses jsonb NOT NULL DEFAULT '[]',
  last_seen bigint,
  -- The newest viewer that tried to get media from the site itself.
  direct_at bigint,
  is_direct boolean,
  created_at bigint NOT NULL
);
INSERT INTO site (site_id, site_name, created_at) VALUES ('local', '', 0);

ALTER TABLE device ADD COLUMN site_id text NOT NULL DEFAULT 'local' REFERENCES site;
CREATE INDEX device_site ON device (site_id);
-- Where the ticket is used: it lies with the site that has the footage, or at the centre for what passes through it.
ALTER TABLE media_ticket ADD COLUMN site_id text NOT NULL DEFAULT 'local';
ALTER TABLE footage_removal ADD COLUMN site_id text NOT NULL DEFAULT 'local';
