-- The order that somebody gave the organisations below one; null follows by name.
ALTER TABLE organization ADD COLUMN position integer;
