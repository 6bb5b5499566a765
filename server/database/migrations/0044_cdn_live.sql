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
  started_at bigint NOT NULL,
  CONSTRAINT cdn_live_one UNIQUE (provider_id, channel_id, quality),
  CONSTRAINT cdn_live_quality_check CHECK (quality IN (0, 1, 2))
);
CREATE INDEX cdn_live_channel ON cdn_live (channel_id);
CREATE INDEX cdn_live_account ON cdn_live (account_id);
