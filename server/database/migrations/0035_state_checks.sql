-- additive
-- A state that no code knows never enters a row: the values are those of the contract, compared by a test.
ALTER TABLE account ADD CONSTRAINT account_user_type_check CHECK (user_type IN (0, 1, 2, 3, 5));
ALTER TABLE invitation ADD CONSTRAINT invitation_user_type_check CHECK (user_type IN (0, 1, 2, 3, 5));
ALTER TABLE quota_default ADD CONSTRAINT quota_default_user_type_check CHECK (user_type IN ('super', 'manage', 'ordinary'));
ALTER TABLE device ADD CONSTRAINT device_status_check CHECK (status IN (0, 1, -1));
ALTER TABLE channel ADD CONSTRAINT channel_status_check CHECK (status IN (0, 1, -1));
ALTER TABLE device_import ADD CONSTRAINT device_import_state_check CHECK (state IN ('running', 'finished', 'cancelled'));
ALTER TABLE device_upgrade ADD CONSTRAINT device_upgrade_state_check
  CHECK (state IN ('none', 'taking', 'sending', 'installing', 'finished', 'failed'));
ALTER TABLE device_upgrade ADD CONSTRAINT device_upgrade_percent_check CHECK (percent BETWEEN 0 AND 100);
ALTER TABLE export_task ADD CONSTRAINT export_task_state_check CHECK (state IN ('queued', 'running', 'finished', 'failed'));
ALTER TABLE alarm_delivery ADD CONSTRAINT alarm_delivery_state_check CHECK (state IN ('waiting', 'done', 'failed', 'skipped'));
