@parameters organization_id, workflow_id, id
SELECT updated_at
  FROM workflow_scenario
 WHERE organization_id = :organization_id AND workflow_id = :workflow_id
   AND id = :id
   FOR UPDATE
