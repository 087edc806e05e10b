@parameters organization_id, session_id, submission
SELECT
@mdl_request_columns
  FROM mdl_request m
 WHERE m.organization_id = :organization_id AND m.session_id = :session_id
   AND m.submission = :submission::integer
