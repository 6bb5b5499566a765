-- additive
-- Tokens of apps that are bound to a key (RFC 9449): its thumbprint (RFC 7638). Null: whoever holds the token may use it.
ALTER TABLE oidc_record ADD COLUMN key_thumbprint text;
