INSERT INTO outgoing_mail (organization_id, session_id, id, grant_id,
                           wrapped_key, sealed, due_at, created_at)
VALUES ($1, $2, $3, $4, $5::bytea, $6::bytea, $7::bigint, $7::bigint)
