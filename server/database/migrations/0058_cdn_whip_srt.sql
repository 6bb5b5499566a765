-- additive
-- A CDN provider may take streams by WHIP, with a token, or by SRT, with a passphrase: the key that is stored for it.
ALTER TABLE cdn_provider DROP CONSTRAINT cdn_provider_kind_check;
ALTER TABLE cdn_provider ADD CONSTRAINT cdn_provider_kind_check CHECK (kind IN ('push', 'whip', 'srt', 'origin'));
ALTER TABLE cdn_provider DROP CONSTRAINT cdn_provider_signing_check;
ALTER TABLE cdn_provider ADD CONSTRAINT cdn_provider_signing_check
  CHECK (signing IN ('none', 'aliyun', 'tencent', 'nginx', 'bearer', 'passphrase'));
