-- additive
-- What one server of the installation does for all: who does it, for how long, and the how many-eth holder that is.
CREATE TABLE work_lease (
  name text PRIMARY KEY,
  -- The identity of a server's data folder; null: nobody.
  holder text,
  -- Plus one with each taking: what a former holder still wants to store is refused.
  epoch bigint NOT NULL DEFAULT 0,
  -- By the clock of the database, ms.
  until bigint NOT NULL DEFAULT 0
);
