-- additive
-- The operator's own model by which a task finds objects. Null: the one that comes with the program. Tasks of a channel share it.
ALTER TABLE analysis_task ADD COLUMN model text;
