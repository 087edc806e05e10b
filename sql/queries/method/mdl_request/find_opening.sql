@parameters organization_id, session_id, opening
SELECT
@mdl_request_columns
       , m.offered
  FROM mdl_request m
 WHERE m.organization_id = :organization_id AND m.session_id = :session_id
   AND m.opening = :opening
