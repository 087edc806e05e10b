-- One page of the actions of an actor, newest first.
@reversed list_of_actor_newer
@parameters
    organization_id,
    actor,
    lower, upper,  -- lower <= id < upper
    limit
SELECT sequence, id, entry, encode(hash, 'hex')
  FROM operator_action
 WHERE organization_id = :organization_id
   AND entry::json ->> 'actor' = :actor
   AND id >= :lower::text AND id < :upper::text
 ORDER BY id DESC
 LIMIT :limit::integer
