-- A driver's address record may hold secrets of the device (tokens in addresses): it moves into the sealed credentials.
-- Null once it has moved; the server moves what is left when it starts, because only it has the key.
ALTER TABLE device ALTER COLUMN native DROP NOT NULL;
