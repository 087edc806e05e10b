-- For the operator, across organizations.
@parameters id
SELECT w.organization_id, w.id, w.application_id, w.name, v.id,
       v.definition, v.compiled, w.created_at, w.updated_at
  FROM workflow w
  JOIN workflow_version v
    ON v.organization_id = w.organization_id AND v.id = w.current_version_id
 WHERE w.organization_id IN (SELECT o.id FROM organization o) AND w.id = :id
