-- not additive: an older server reads numbers and hashes from columns of audit_log, and links nothing
-- Lines of the audit log are stored without waiting for one another, and chained right after by one server (server/audit).
DROP TRIGGER audit_log_chain ON audit_log;
DROP FUNCTION chain_audit();
DROP FUNCTION audit_text(audit_log);
DROP FUNCTION audit_field(text);

-- Entry numbers without gaps; each hash is that of its line and of the hash before.
CREATE TABLE audit_chain (
  entry_no bigint PRIMARY KEY,
  -- The line in audit_log.
  seq bigint NOT NULL UNIQUE,
  hash bytea NOT NULL
);
INSERT INTO audit_chain (entry_no, seq, hash) SELECT entry_no, seq, hash FROM audit_log ORDER BY entry_no;
CREATE TRIGGER audit_chain_append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_chain
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();

ALTER TABLE audit_log
  DROP COLUMN entry_no,
  DROP COLUMN hash,
  -- From one start of a server to its end; null in lines of before.
  ADD COLUMN run_id text,
  -- 1, 2, 3 … within a run: a line that is missing leaves a gap, and one that is stored again after a lost answer is not stored twice.
  ADD COLUMN run_no bigint;
CREATE UNIQUE INDEX audit_log_run ON audit_log (run_id, run_no);

-- Lines that are not chained yet.
CREATE TABLE audit_tail (seq bigint PRIMARY KEY);
CREATE FUNCTION add_to_audit_tail() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO audit_tail (seq) VALUES (NEW.seq);
  RETURN NULL;
END $$;
CREATE TRIGGER audit_log_tail AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION add_to_audit_tail();
