-- The session for a change, until the end of the transaction.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1 AND id = $2
   AND ($3::text IS NULL OR application_id = $3::text)
   FOR UPDATE
