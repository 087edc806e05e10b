-- The first key of a session stays.
INSERT INTO session_data_key (organization_id, session_id, wrapped_key)
VALUES ($1, $2, $3::bytea)
ON CONFLICT (organization_id, session_id) DO NOTHING
