-- Makes the last entry the head of a chain that lost its head.
@parameters organization_id
INSERT INTO operator_action_head (organization_id, sequence, hash)
SELECT organization_id, sequence, hash
  FROM operator_action
 WHERE organization_id = :organization_id::text
 ORDER BY sequence DESC
 LIMIT 1
ON CONFLICT (organization_id) DO NOTHING
