-- Why an attempt's outcome was judged so, a sentence each: every judgement shows what it rests on. A JSON list; empty where a caller told.
ALTER TABLE attempts ADD COLUMN because TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(because));
