-- What an organization can pay with. Whoever writes to its ledger holds its row
-- until the end of the transaction; readers are not held up.
SELECT free_allotment, credit_balance
  FROM organization
 WHERE id = $1
   FOR NO KEY UPDATE
