-- No row: a concurrent request was first.
@parameters organization_id, verified_person_id, requested_by, created_at
INSERT INTO erasure_request (organization_id, verified_person_id, requested_by,
                             created_at)
VALUES (:organization_id, :verified_person_id, :requested_by,
        :created_at::bigint)
ON CONFLICT (organization_id, verified_person_id) DO NOTHING
