-- The account of an organization. Writers of its ledger lock its row until the
-- end of the transaction; readers do not wait.
@parameters organization_id
SELECT free_allotment, credit_balance
  FROM organization
 WHERE id = :organization_id
   FOR NO KEY UPDATE
