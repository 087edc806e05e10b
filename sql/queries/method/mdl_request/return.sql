-- Records that the browser of the session has returned, so that the result may
-- count. This ends a lease of the job, because its holder may have looked
-- earlier and would postpone the job until the person's time is over. The
-- answer may still be being opened.
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
