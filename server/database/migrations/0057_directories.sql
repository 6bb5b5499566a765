-- additive
-- Directories (LDAP) as identity providers, and which of their users are gone.
-- Null: an identity provider of OpenID Connect. Of a directory: where it is, how it is searched, and which attributes say what;
-- client_id and client_secret are the name and the password by which it is searched.
ALTER TABLE identity_provider ADD COLUMN directory jsonb;
-- When the directory knew the user no more, or had disabled it; null: it lets the user in, or is no directory.
ALTER TABLE identity_link ADD COLUMN gone_at bigint;
