-- A section of a chain in order.
@parameters
    organization_id,
    after,  -- sequence; 0: from the beginning
    limit
SELECT sequence, id, entry, encode(hash, 'hex')
  FROM operator_action
 WHERE organization_id = :organization_id
   AND sequence > :after::bigint
 ORDER BY sequence
 LIMIT :limit::integer
