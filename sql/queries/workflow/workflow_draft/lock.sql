-- The revision of a draft, fixed until the transaction ends.
@parameters organization_id, id
SELECT revision
  FROM workflow_draft
 WHERE organization_id = :organization_id AND id = :id
   FOR UPDATE
