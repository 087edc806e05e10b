-- One page, newest first.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT sequence, id, entry, encode(hash, 'hex')
  FROM operator_action
 WHERE organization_id = :organization_id
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
