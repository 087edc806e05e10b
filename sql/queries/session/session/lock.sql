-- The session, locked for a change until the end of the transaction.
@parameters organization_id, id, application_id
SELECT
@session_columns
  FROM verification_session
@in_scope
   FOR UPDATE
