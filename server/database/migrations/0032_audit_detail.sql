-- What a line of the audit log knows beside ids, as JSON text; a part of the chain where it is there, so that older lines keep their hash.
ALTER TABLE audit_log ADD COLUMN detail text;

-- As server/features/audit/audit-chain.ts computes it.
CREATE OR REPLACE FUNCTION audit_text(line audit_log) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT audit_field(line.entry_no::text) || audit_field(line.at::text) || audit_field(line.account_id)
    || audit_field(line.account_name) || audit_field(line.session_id) || audit_field(line.address)
    || audit_field(line.call) || audit_field(line.kind) || audit_field(line.object) || audit_field(line.code::text)
    || audit_field(array_to_string(line.owner_ids, ' '))
    || CASE WHEN line.detail IS NULL THEN '' ELSE audit_field(line.detail) END
$$;
