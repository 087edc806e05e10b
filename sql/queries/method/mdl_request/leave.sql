-- Called when a device has lost the session: its requests to wallets become
-- void, and so does the code of an answer that no browser has returned with.
-- The submission of that answer becomes due at once. This ends the lease of its
-- job, so that its holder, who may have looked earlier, cannot postpone it.
@parameters organization_id, session_id, now
WITH ended AS (
  DELETE FROM mdl_request
   WHERE organization_id = :organization_id AND session_id = :session_id
     AND answered_at IS NULL
), abandoned AS (
  UPDATE mdl_request
     SET return_digest = NULL
   WHERE organization_id = :organization_id AND session_id = :session_id
     AND answered_at IS NOT NULL AND returned_at IS NULL
     AND return_digest IS NOT NULL
  RETURNING submission
)
UPDATE analysis_job j
   SET due_at = :now::bigint
  FROM abandoned a
 WHERE j.organization_id = :organization_id AND j.session_id = :session_id
   AND j.submission = a.submission
