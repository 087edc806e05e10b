-- No row when the organization, or its application, does not exist.
INSERT INTO api_key (organization_id, id, application_id, type, digest,
                     last_characters, expires_at, created_at)
SELECT o.id, $2, $3::text, $4, $5::bytea, $6, $7::bigint, $8::bigint
  FROM organization o
 WHERE o.id = $1
   AND ($3::text IS NULL
        OR EXISTS (SELECT FROM application a
                    WHERE a.organization_id = o.id AND a.id = $3::text))
RETURNING id
