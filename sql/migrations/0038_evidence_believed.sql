-- Which evidence a session was passed with; a later piece of the same name is
-- not. Of what is there already this is not known: it counts as it did.
ALTER TABLE evidence ADD COLUMN believed boolean NOT NULL DEFAULT true;
ALTER TABLE evidence ALTER COLUMN believed SET DEFAULT false;
COMMENT ON COLUMN evidence.believed IS
    'Whether a method of the session was passed with it';
