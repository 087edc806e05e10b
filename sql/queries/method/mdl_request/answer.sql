-- Accepts the answer to an open request, and ends every other request of its
-- session: later answers are void. An answer that was offered in time counts,
-- however long it took to open it.
@parameters
    organization_id, id, protocol, session_id, submission,
    opening,  -- the job that opened it; NULL: accepted as received
    now
WITH answered AS (
  UPDATE mdl_request
     SET answered_at = :now::bigint, submission = :submission::integer,
         opening = NULL, offered = NULL
   WHERE organization_id = :organization_id AND id = :id
     AND protocol = :protocol AND session_id = :session_id
     AND answered_at IS NULL
     AND opening IS NOT DISTINCT FROM :opening::text
     AND (:opening::text IS NOT NULL OR expires_at > :now::bigint)
  RETURNING 1
), ended AS (
  DELETE FROM mdl_request
   WHERE organization_id = :organization_id AND session_id = :session_id
     AND answered_at IS NULL AND NOT (id = :id AND protocol = :protocol)
     AND EXISTS (SELECT FROM answered)
)
SELECT count(*) FROM answered
