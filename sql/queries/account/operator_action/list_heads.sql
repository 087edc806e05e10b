-- All chains, including those that lost their head or all of their entries.
@parameters
    organization_id,  -- NULL: all
    after,            -- organizations after this one; NULL: from the beginning
    limit
SELECT organization_id, coalesce(h.sequence, 0),
       coalesce(encode(h.hash, 'hex'), '')
  FROM (SELECT organization_id FROM operator_action_head
         UNION
        SELECT organization_id FROM operator_action) chains
  LEFT JOIN operator_action_head h USING (organization_id)
 WHERE (:organization_id::text IS NULL
        OR organization_id = :organization_id::text)
   AND organization_id > coalesce(:after::text, '')
 ORDER BY organization_id
 LIMIT :limit::integer
