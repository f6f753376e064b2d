-- What is only set aside is not shown as spent, and what a call that was cut off left behind is given back. Whether a call
-- that is written down without an answer still runs is found out like that of any other.
ALTER TABLE engine_calls ADD COLUMN under_way INTEGER NOT NULL DEFAULT 0 CHECK (under_way IN (0, 1));
UPDATE engine_calls SET under_way = 1 WHERE input_tokens = 0 AND output_tokens = 0 AND usd > 0 AND problem IS NULL;
CREATE INDEX engine_calls_under_way ON engine_calls (under_way) WHERE under_way = 1;
