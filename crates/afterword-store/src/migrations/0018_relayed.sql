-- A message in the person's name that an agent worded: passed on by the agent of a session, or an option that was chosen.
ALTER TABLE messages ADD COLUMN relayed INTEGER NOT NULL DEFAULT 0 CHECK (relayed IN (0, 1));
