@parameters organization_id, workflow_id, id
DELETE FROM workflow_scenario
 WHERE organization_id = :organization_id AND workflow_id = :workflow_id
   AND id = :id
RETURNING id
