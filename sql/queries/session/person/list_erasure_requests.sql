-- One page of the requests that wait for a second operator, by the ids of the
-- persons.
@reversed list_erasure_requests_newer
@parameters
    organization_id,
    since,         -- earlier requests have expired
    lower, upper,  -- lower <= id < upper
    limit
SELECT requested_by, created_at, verified_person_id
  FROM erasure_request
 WHERE organization_id = :organization_id
   AND verified_person_id >= :lower::text AND verified_person_id < :upper::text
   AND created_at > :since::bigint
 ORDER BY verified_person_id DESC
 LIMIT :limit::integer
