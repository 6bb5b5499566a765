-- additive
-- A CDN provider may be this installation itself: viewers, or a CDN in front of it, fetch live streams from it. It has no publish
-- address; its key signs play addresses.
ALTER TABLE cdn_provider ADD COLUMN kind text NOT NULL DEFAULT 'push';
-- Where a CDN in front of it is reached; empty: the address under which the caller reaches the installation.
ALTER TABLE cdn_provider ADD COLUMN base_address text NOT NULL DEFAULT '';
ALTER TABLE cdn_provider ADD CONSTRAINT cdn_provider_kind_check CHECK (kind IN ('push', 'origin'));
-- Streams of the origin are named without it.
CREATE UNIQUE INDEX cdn_provider_one_origin ON cdn_provider (kind) WHERE kind = 'origin';
