-- additive
-- Origins of pages that may frame the console for an app.
ALTER TABLE app ADD COLUMN embed_origins text[] NOT NULL DEFAULT '{}';
