-- The applications whose sessions may run in a workflow, and which of them have
-- enabled trust reuse.
@parameters
    organization_id,
    application_id  -- the workflow's; NULL: all applications
SELECT a.id, a.name, coalesce(s.enabled, false)
  FROM application a
  LEFT JOIN trust_reuse_settings s
    ON s.organization_id = a.organization_id AND s.application_id = a.id
 WHERE a.organization_id = :organization_id
   AND (:application_id::text IS NULL OR a.id = :application_id::text)
 ORDER BY coalesce(s.enabled, false) DESC, a.id
 LIMIT 100
