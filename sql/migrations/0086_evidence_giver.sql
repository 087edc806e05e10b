-- Only the browser that gave the evidence of a session may save its verification
-- as a passkey.
ALTER TABLE verification_session ADD COLUMN giver bytea;
COMMENT ON COLUMN verification_session.giver IS
    'SHA-256 of the secret of the browser that gave all evidence; empty: several, or unknown ones; NULL: no evidence was given';
