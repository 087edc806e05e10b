@parameters id
SELECT trust_policy
  FROM organization
 WHERE id = :id
