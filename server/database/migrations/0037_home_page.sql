-- additive
-- What opens first after sign-in, and the cameras whose pictures the overview shows; null: never chosen.
ALTER TABLE account ADD COLUMN home_page text CONSTRAINT account_home_page_check CHECK (home_page IN ('live', 'overview', 'cards', 'playback', 'alarms'));
ALTER TABLE account ADD COLUMN home_cameras jsonb;
