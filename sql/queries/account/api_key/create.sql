-- No row if the organization, or its application, does not exist.
@parameters
    organization_id, id, application_id, type, digest, last_characters,
    expires_at, created_at,
    label,   -- NULL: none
    scopes,  -- NULL: all
    by_admin
INSERT INTO api_key (organization_id, id, application_id, type, digest,
                     last_characters, expires_at, created_at, label, scopes,
                     by_admin)
SELECT o.id, :id, :application_id::text, :type, :digest::bytea,
       :last_characters, :expires_at::bigint, :created_at::bigint,
       :label::text, :scopes::text, :by_admin::boolean
  FROM organization o
 WHERE o.id = :organization_id
   AND (:application_id::text IS NULL
        OR EXISTS (SELECT FROM application a
                    WHERE a.organization_id = o.id
                      AND a.id = :application_id::text))
RETURNING id
