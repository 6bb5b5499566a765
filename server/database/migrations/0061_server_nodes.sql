-- additive
-- Servers of one database that speak to each other, by the clock of the database, ms.
CREATE TABLE server_node (
  -- The identity of a server's data folder.
  node_id text PRIMARY KEY,
  -- host:port, in the network between the servers.
  address text NOT NULL,
  -- SHA-256 of its certificate, lower-case hex: the only one that is accepted from it.
  fingerprint text NOT NULL,
  release text NOT NULL,
  -- Equal for servers that have the same master key, and says nothing of it.
  key_check text NOT NULL,
  started_at bigint NOT NULL,
  seen_at bigint NOT NULL
);
-- Which server a site is connected to.
CREATE TABLE site_line (
  site_id text PRIMARY KEY REFERENCES site ON DELETE CASCADE,
  node_id text NOT NULL,
  -- Plus one with each connection: what comes over a former one is not stored.
  epoch bigint NOT NULL DEFAULT 0,
  -- By the clock of the database, ms.
  since bigint NOT NULL DEFAULT 0
);
-- Of the local site: the server that it runs beside; null: none has said so yet.
ALTER TABLE site ADD COLUMN node_id text;
