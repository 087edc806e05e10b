-- The session for a change, until the end of the transaction.
@parameters organization_id, id, application_id
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id = :id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
   FOR UPDATE
