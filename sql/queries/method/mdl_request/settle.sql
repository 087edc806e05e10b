-- The first verdict is kept.
@parameters organization_id, session_id, submission, verdict, reason
UPDATE mdl_request
   SET verdict = :verdict, reason = :reason
 WHERE organization_id = :organization_id AND session_id = :session_id
   AND submission = :submission::integer AND verdict IS NULL
