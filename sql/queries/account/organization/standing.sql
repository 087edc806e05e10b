-- What an operator's requests for an organization depend on; no row: there is
-- no such organization, or no such application of it.
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
