-- @concurrently verification_session_kept_by_law
-- Sessions of which the law lets findings be kept for some days only.
CREATE INDEX CONCURRENTLY IF NOT EXISTS verification_session_kept_by_law
    ON verification_session (updated_at)
    WHERE compliance ->> 'data_retention_days' IS NOT NULL
      AND (results IS NOT NULL OR verification_result IS NOT NULL);
