-- For who holds a secret of the session: not while its organization is disabled.
@parameters
    organization_id, id,
    application_id  -- NULL: all
SELECT
@session_columns
  FROM verification_session
@in_scope
   AND
@organization_open
