-- additive
-- Whatever points to an account, an organisation or a device is found by it: else removing one reads the whole table.
CREATE INDEX account_creator ON account (created_by);
CREATE INDEX account_notice_account ON account_notice (account_id);
CREATE INDEX grant_row_owner ON grant_row (owner_id);
CREATE INDEX ingest_key_account ON ingest_key (account_id);
CREATE INDEX layout_owner ON layout (owner_id);
CREATE INDEX lost_share_device ON lost_share (device_id);
CREATE INDEX lost_share_organization ON lost_share (organization_id);
CREATE INDEX lost_share_owner ON lost_share (owner_id);
CREATE INDEX organization_below ON organization (parent_id);
CREATE INDEX share_link_device ON share_link (device_id);
CREATE INDEX site_owner ON site (owner_id);
