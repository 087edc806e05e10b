-- The position of an entry.
@parameters organization_id, id
SELECT position
  FROM ledger_entry
 WHERE organization_id = :organization_id AND id = :id
