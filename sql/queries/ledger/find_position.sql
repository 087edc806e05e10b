-- Where the entry $2 stands.
SELECT position
  FROM ledger_entry
 WHERE organization_id = $1 AND id = $2
