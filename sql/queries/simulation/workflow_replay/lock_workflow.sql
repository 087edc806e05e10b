-- Whether a workflow is retired; keeps it so until the transaction ends.
@parameters organization_id, workflow_id
SELECT retired_at IS NOT NULL
  FROM workflow
 WHERE organization_id = :organization_id AND id = :workflow_id
   FOR NO KEY UPDATE
