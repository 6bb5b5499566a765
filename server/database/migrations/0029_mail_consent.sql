-- E-mail channels send alarms to addresses that agreed. Times are milliseconds since 1970 UTC.

-- One row for each address that was asked for an account, as long as an e-mail channel of the account names it.
CREATE TABLE mail_consent (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  -- In lower case.
  address text NOT NULL,
  -- SHA-256 of the word in the link that asks.
  token_hash bytea NOT NULL UNIQUE,
  -- SHA-256 of the word in the alarms that are sent, which can only refuse; null: none were.
  stop_hash bytea UNIQUE,
  asked_at bigint NOT NULL,
  -- Until then the link can say yes.
  expires_at bigint NOT NULL,
  confirmed_at bigint,
  PRIMARY KEY (account_id, address)
);
CREATE INDEX mail_consent_address ON mail_consent (address);

-- How often a mailbox was asked without an answer, over all accounts, and whether it wants no mail of any.
CREATE TABLE mail_address (
  -- SHA-256: nothing can be sent to it from here.
  address_hash bytea PRIMARY KEY,
  asked_count integer NOT NULL,
  asked_at bigint NOT NULL,
  refused_at bigint
);

-- Accounts whose channels sent to others before are told that these have to agree now.
ALTER TABLE account_notice DROP CONSTRAINT account_notice_kind_check;
ALTER TABLE account_notice ADD CONSTRAINT account_notice_kind_check
  CHECK (kind IN ('passwordReset', 'factorReset', 'mailUnconfirmed'));
INSERT INTO account_notice (notice_id, account_id, kind, by_name, at)
SELECT substr(md5(random()::text || account.account_id), 1, 24), account.account_id, 'mailUnconfirmed', '',
  (extract(epoch FROM now()) * 1000)::bigint
FROM account
WHERE EXISTS (
  SELECT 1 FROM alarm_channel AS channel, regexp_split_to_table(lower(channel.settings ->> 'to'), '[,;\s]+') AS address
  WHERE channel.account_id = account.account_id AND channel.kind = 'email' AND channel.is_enabled
    AND address <> '' AND address IS DISTINCT FROM account.email
);
