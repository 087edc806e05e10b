-- The browser of the session has come back: what was found may count now. A lease of
-- the job ends by that: whoever has it may have looked before, and would put the job
-- back until the time of the person is over. The answer may still be being opened.
@parameters organization_id, session_id, id, return_digest, now
WITH returned AS (
  UPDATE mdl_request
     SET returned_at = :now::bigint
   WHERE organization_id = :organization_id AND id = :id
     AND session_id = :session_id
     AND return_digest = :return_digest::bytea AND returned_at IS NULL
  RETURNING submission
), woken AS (
  UPDATE analysis_job j
     SET due_at = :now::bigint
    FROM returned r
   WHERE j.organization_id = :organization_id AND j.session_id = :session_id
     AND j.submission = r.submission
)
SELECT count(*) FROM returned
