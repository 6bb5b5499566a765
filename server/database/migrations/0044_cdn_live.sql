-- additive
-- CDN providers of the installation, and the live streams that are pushed to them.
CREATE TABLE cdn_provider (
  provider_id text PRIMARY KEY,
  provider_name text NOT NULL,
  -- With {stream} where the name of the stream stands.
  publish_address text NOT NULL,
  -- Where it is played; empty: not at all by this protocol.
  rtmp_address text NOT NULL,
  hls_address text NOT NULL,
  flv_address text NOT NULL,
  signing text NOT NULL,
  -- Encrypted with the master key, bound to provider_id; empty text where nothing is signed.
  signing_key bytea NOT NULL,
  -- How long a publish address may be used.
  valid_minutes integer NOT NULL,
  version integer NOT NULL DEFAULT 1,
  created_at bigint NOT NULL,
  CONSTRAINT cdn_provider_signing_check CHECK (signing IN ('none', 'aliyun', 'tencent', 'nginx')),
  CONSTRAINT cdn_provider_valid_minutes_check CHECK (valid_minutes > 0)
);

CREATE TABLE cdn_live (
  live_id text PRIMARY KEY,
  provider_id text NOT NULL REFERENCES cdn_provider,
  channel_id text NOT NULL REFERENCES channel ON DELETE CASCADE,
  quality integer NOT NULL,
  -- Whoever started it, and the media ticket that it rests on.
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  ticket_hash text NOT NULL,
  -- Whose package pays for it; null: the operator's own.
  holder_id text REFERENCES account ON DELETE CASCADE,
  started_at bigint NOT NULL,
  -- Up to then its time is charged.
  metered_at bigint NOT NULL,
  CONSTRAINT cdn_live_one UNIQUE (provider_id, channel_id, quality),
  CONSTRAINT cdn_live_quality_check CHECK (quality IN (0, 1, 2))
);
CREATE INDEX cdn_live_channel ON cdn_live (channel_id);
CREATE INDEX cdn_live_account ON cdn_live (account_id);
CREATE INDEX cdn_live_holder ON cdn_live (holder_id);

-- Minutes and streams that an account may push, opened by a code that works once.
CREATE TABLE cdn_package (
  code_hash text PRIMARY KEY,
  minutes integer NOT NULL,
  streams integer NOT NULL,
  created_at bigint NOT NULL,
  -- Whoever activated it; null: nobody yet.
  account_id text REFERENCES account ON DELETE CASCADE,
  activated_at bigint,
  CONSTRAINT cdn_package_minutes_check CHECK (minutes > 0),
  CONSTRAINT cdn_package_streams_check CHECK (streams > 0)
);
CREATE INDEX cdn_package_account ON cdn_package (account_id);

CREATE TABLE cdn_use (
  account_id text PRIMARY KEY REFERENCES account ON DELETE CASCADE,
  used_ms bigint NOT NULL
);
