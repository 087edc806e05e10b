-- Gives back the leases until $4 of deliveries $2 and $3 that $1 still holds.
UPDATE webhook_delivery d
   SET leased_by = NULL, leased_until = NULL
  FROM unnest($2::text[], $3::text[], $4::bigint[])
       AS l (organization_id, id, leased_until)
 WHERE d.organization_id = l.organization_id AND d.id = l.id
   AND d.leased_by = $1::text AND d.leased_until = l.leased_until
