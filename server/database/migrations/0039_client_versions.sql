-- additive
-- Releases of the native clients; a package lies in the data folder, under the id of its version.
CREATE TABLE client_version (
  version_id text PRIMARY KEY,
  platform text NOT NULL,
  version_name text NOT NULL,
  external_version text NOT NULL,
  -- The numbers of external_version, which sort as numbers.
  version_order integer[] NOT NULL,
  must_upgrade_version text NOT NULL,
  content_en text NOT NULL,
  content_zh text NOT NULL,
  redirect_url text NOT NULL,
  rollout_percent integer NOT NULL,
  is_published boolean NOT NULL,
  -- Of the package; empty while there is none.
  file_name text NOT NULL DEFAULT '',
  size_bytes bigint NOT NULL DEFAULT 0,
  -- Empty until the package is whole and its signature was verified.
  sha256 text NOT NULL DEFAULT '',
  signature text NOT NULL DEFAULT '',
  public_key text NOT NULL DEFAULT '',
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  changed_at bigint NOT NULL,
  UNIQUE (platform, external_version),
  CONSTRAINT client_version_platform_check
    CHECK (platform IN ('all', 'windows', 'macos', 'linux', 'android', 'ios')),
  CONSTRAINT client_version_rollout_check CHECK (rollout_percent BETWEEN 0 AND 100),
  CONSTRAINT client_version_package_check CHECK ((sha256 = '') = (signature = '') AND (sha256 = '') = (size_bytes = 0))
);
