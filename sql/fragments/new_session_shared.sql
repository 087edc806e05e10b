-- Those of new_session_columns.sql that are parameters for all sessions of a
-- statement.
       organization_id, application_id, workflow_id, workflow_version_id,
       livemode, revision, status, type, methods, age_tier
