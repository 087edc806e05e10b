-- Whether a gate can create sessions; no row: the organization does not exist.
@parameters organization_id, workflow_id
SELECT o.disabled_at IS NOT NULL, w.id IS NOT NULL, w.retired_at IS NOT NULL
  FROM organization o
  LEFT JOIN workflow w
    ON w.organization_id = o.id AND w.id = :workflow_id
 WHERE o.id = :organization_id
