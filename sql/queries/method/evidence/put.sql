-- A later image of a side replaces the earlier one.
@parameters organization_id, session_id, side, media_type, sealed, created_at
INSERT INTO evidence (organization_id, session_id, side, media_type, sealed,
                      created_at)
VALUES (:organization_id, :session_id, :side, :media_type, :sealed::bytea,
        :created_at::bigint)
ON CONFLICT (organization_id, session_id, side) DO UPDATE
   SET media_type = excluded.media_type,
       sealed = excluded.sealed,
       created_at = excluded.created_at,
       believed = false
