-- One page of the actions of one kind, newest first.
@reversed list_of_action_newer
@parameters
    organization_id,
    action,
    lower, upper,  -- lower <= id < upper
    limit
SELECT sequence, id, entry, encode(hash, 'hex')
  FROM operator_action
 WHERE organization_id = :organization_id
   AND entry::json ->> 'action' = :action
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
