@parameters organization_id, verified_person_id, erased, created_at
INSERT INTO person_erasure (organization_id, verified_person_id, erased,
                            created_at)
VALUES (:organization_id, :verified_person_id, :erased::json,
        :created_at::bigint)
ON CONFLICT (organization_id, verified_person_id) DO NOTHING
