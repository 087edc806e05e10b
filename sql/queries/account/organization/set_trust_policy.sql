@parameters id, trust_policy, updated_at
UPDATE organization
   SET trust_policy = :trust_policy, updated_at = :updated_at::bigint
 WHERE id = :id
RETURNING trust_policy
