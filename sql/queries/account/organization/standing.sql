-- The state of an organization that operators' requests depend on; no row: the
-- organization, or the application, does not exist.
@parameters
    organization_id,
    application_id  -- NULL: the request is for the whole organization
SELECT sandbox, billing_status, disabled_at IS NOT NULL
  FROM organization o
 WHERE id = :organization_id
   AND (:application_id::text IS NULL
        OR EXISTS (SELECT FROM application a
                    WHERE a.organization_id = o.id
                      AND a.id = :application_id::text))
