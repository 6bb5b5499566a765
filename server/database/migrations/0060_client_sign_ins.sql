-- additive
-- Sign-ins by identity providers for a native client that waits, and the tickets that they end with.
ALTER TABLE identity_flow DROP CONSTRAINT identity_flow_purpose_check;
ALTER TABLE identity_flow ADD CONSTRAINT identity_flow_purpose_check
  CHECK (purpose IN ('signIn', 'link', 'proof', 'client', 'ticket'));
ALTER TABLE identity_flow DROP CONSTRAINT identity_flow_session_check;
ALTER TABLE identity_flow ADD CONSTRAINT identity_flow_session_check
  CHECK ((session_id IS NULL) = (purpose IN ('signIn', 'client', 'ticket')));
