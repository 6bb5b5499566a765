-- additive
-- The pairs of characters of a name are made of columns that are never null: nor are they.
ALTER TABLE organization ALTER COLUMN name_bigrams SET NOT NULL;
ALTER TABLE device ALTER COLUMN name_bigrams SET NOT NULL;
ALTER TABLE channel ALTER COLUMN name_bigrams SET NOT NULL;
