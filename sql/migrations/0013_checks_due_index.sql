-- An index over updated_at makes every change of a session write to all of its
-- indexes anew; when a session was created never changes.
DROP INDEX verification_session_checks_due;
CREATE INDEX verification_session_checks_due
    ON verification_session (created_at, id)
    WHERE status = 'processing' AND current_method IS NULL;
