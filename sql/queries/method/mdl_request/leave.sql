-- The device that had the session has it no more: what wallets were asked for it
-- is void, and so is the code of an answer with which nobody has come back. The
-- submission of that is looked at again at once; a lease of its job ends by that, so
-- that nobody who has looked before puts it back for later.
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
