-- The live version of a workflow, fixed until the transaction ends.
@parameters organization_id, id
SELECT current_version_id
  FROM workflow
 WHERE organization_id = :organization_id AND id = :id
   FOR NO KEY UPDATE
