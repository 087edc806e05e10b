-- Whom the person has agreed to have the pictures of a challenge looked at by.
ALTER TABLE liveness_challenge ADD COLUMN provider text;
COMMENT ON COLUMN liveness_challenge.provider IS
    'Name of the provider that the consent has named; NULL: none, and none may '
    'be sent the pictures';
