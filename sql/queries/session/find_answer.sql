-- $4 is the application of the key, or NULL for an organization-wide key.
SELECT
@session_answer
  FROM verification_session
 WHERE organization_id = $1 AND id = $2
   AND ($4::text IS NULL OR application_id = $4::text)
