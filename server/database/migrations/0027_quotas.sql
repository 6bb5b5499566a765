-- What the operator sets of quotas: for the accounts of a user type, and for one account. Where nothing is set the product's table holds.
CREATE TABLE quota_default (
  quota text NOT NULL,
  user_type text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (quota, user_type)
);
CREATE TABLE account_quota (
  account_id text NOT NULL REFERENCES account ON DELETE CASCADE,
  quota text NOT NULL,
  most bigint NOT NULL CHECK (most >= 0),
  PRIMARY KEY (account_id, quota)
);
