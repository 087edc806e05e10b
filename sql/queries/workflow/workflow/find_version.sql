@parameters organization_id, id
SELECT compiled
  FROM workflow_version
 WHERE organization_id = :organization_id AND id = :id
