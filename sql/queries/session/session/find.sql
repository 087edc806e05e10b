@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT
@session_columns
  FROM verification_session
@in_scope
