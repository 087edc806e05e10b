INSERT INTO analysis_job (organization_id, session_id, id, method, submission,
                          sides, due_at, created_at)
VALUES ($1, $2, $3, $4, $5::integer, $6::text[], $7::bigint, $7::bigint)
