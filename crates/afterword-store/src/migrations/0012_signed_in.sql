-- When the person last signed in to a remote server; null where they have not, or what that brought is worth nothing any
-- more. Only then is the keyring asked.
ALTER TABLE connections ADD COLUMN signed_in_at INTEGER;
