@parameters
    organization_id, session_id, id, grant_id, wrapped_key, sealed, now,
    useless_at
INSERT INTO outgoing_mail (organization_id, session_id, id, grant_id,
                           wrapped_key, sealed, due_at, created_at, useless_at)
VALUES (:organization_id, :session_id, :id, :grant_id, :wrapped_key::bytea,
        :sealed::bytea, :now::bigint, :now::bigint, :useless_at::bigint)
