-- What an organization can pay with. Whoever writes to its ledger locks its row
-- until the end of the transaction; readers do not wait.
@parameters organization_id
SELECT free_allotment, credit_balance
  FROM organization
 WHERE id = :organization_id
   FOR NO KEY UPDATE
