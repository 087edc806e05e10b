SELECT compiled
  FROM workflow_version
 WHERE organization_id = $1 AND id = $2
