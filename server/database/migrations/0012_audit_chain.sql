-- The audit log as a chain: each line carries the hash of itself and the line before, so that a change or a gap is found.
ALTER TABLE audit_log
  ADD COLUMN account_name text,
  -- Whose log it is: the account that acted, or its owner, and the owner of what was touched.
  ADD COLUMN owner_ids text[] NOT NULL DEFAULT '{}',
  -- Without gaps, unlike seq.
  ADD COLUMN entry_no bigint,
  ADD COLUMN hash bytea;

CREATE FUNCTION audit_field(value text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(length(value) || ':' || value, '-')
$$;

-- As server/features/audit/audit-chain.ts computes it.
CREATE FUNCTION audit_text(line audit_log) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT audit_field(line.entry_no::text) || audit_field(line.at::text) || audit_field(line.account_id)
    || audit_field(line.account_name) || audit_field(line.session_id) || audit_field(line.address)
    || audit_field(line.call) || audit_field(line.kind) || audit_field(line.object) || audit_field(line.code::text)
    || audit_field(array_to_string(line.owner_ids, ' '))
$$;

ALTER TABLE audit_log DISABLE TRIGGER audit_log_append_only;
UPDATE audit_log SET account_name = account.user_name,
    owner_ids = array[coalesce(account.owner_id, account.account_id)]
  FROM account WHERE account.account_id = audit_log.account_id;
DO $$
DECLARE
  line audit_log;
  previous bytea := ''::bytea;
  number bigint := 0;
BEGIN
  FOR line IN SELECT * FROM audit_log ORDER BY seq LOOP
    number := number + 1;
    line.entry_no := number;
    previous := sha256(previous || convert_to(audit_text(line), 'UTF8'));
    UPDATE audit_log SET entry_no = number, hash = previous WHERE seq = line.seq;
  END LOOP;
END $$;
ALTER TABLE audit_log ENABLE TRIGGER audit_log_append_only;
ALTER TABLE audit_log ALTER COLUMN entry_no SET NOT NULL, ALTER COLUMN hash SET NOT NULL;
CREATE UNIQUE INDEX audit_log_entry ON audit_log (entry_no);
CREATE INDEX audit_log_owners ON audit_log USING gin (owner_ids);

-- Lines follow one another: who writes waits for the commit of the line before.
CREATE FUNCTION chain_audit() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  last record;
BEGIN
  PERFORM pg_advisory_xact_lock(7183241);
  SELECT entry_no, hash INTO last FROM audit_log ORDER BY entry_no DESC LIMIT 1;
  NEW.entry_no := coalesce(last.entry_no, 0) + 1;
  NEW.hash := sha256(coalesce(last.hash, ''::bytea) || convert_to(audit_text(NEW), 'UTF8'));
  RETURN NEW;
END $$;
CREATE TRIGGER audit_log_chain BEFORE INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION chain_audit();
