@parameters organization_id, id, protocol, session_id, sealed, now, expires_at
INSERT INTO mdl_request (organization_id, id, protocol, session_id, sealed,
                         created_at, expires_at)
VALUES (:organization_id, :id, :protocol, :session_id, :sealed::bytea,
        :now::bigint, :expires_at::bigint)
