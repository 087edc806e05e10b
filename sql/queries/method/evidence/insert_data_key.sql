-- The first key of a session is kept.
@parameters organization_id, session_id, wrapped_key
INSERT INTO session_data_key (organization_id, session_id, wrapped_key)
VALUES (:organization_id, :session_id, :wrapped_key::bytea)
ON CONFLICT (organization_id, session_id) DO NOTHING
