-- For holders of a secret of the session: no row while its organization is
-- disabled.
@parameters
    organization_id, id,
    application_id  -- NULL: all
SELECT
@session_columns
  FROM verification_session
@in_scope
   AND
@organization_open
