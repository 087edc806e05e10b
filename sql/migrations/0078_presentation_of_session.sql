-- @concurrently vp_token_presentation_by_session
-- Gates and logins look up which credential a session used.
CREATE INDEX CONCURRENTLY IF NOT EXISTS vp_token_presentation_by_session
    ON vp_token_presentation (organization_id, session_id);
