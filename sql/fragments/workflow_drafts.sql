-- Drafts d, each with its workflow w if it has one.
  FROM workflow_draft d
  LEFT JOIN workflow w
    ON w.organization_id = d.organization_id AND w.id = d.workflow_id
