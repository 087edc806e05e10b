-- A later image of a side replaces the earlier one.
INSERT INTO evidence (organization_id, session_id, side, media_type, sealed,
                      created_at)
VALUES ($1, $2, $3, $4, $5::bytea, $6::bigint)
ON CONFLICT (organization_id, session_id, side) DO UPDATE
   SET media_type = excluded.media_type,
       sealed = excluded.sealed,
       created_at = excluded.created_at
