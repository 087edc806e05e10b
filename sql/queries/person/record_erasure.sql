INSERT INTO person_erasure (organization_id, verified_person_id, erased,
                            created_at)
VALUES ($1, $2, $3::json, $4::bigint)
ON CONFLICT (organization_id, verified_person_id) DO NOTHING
