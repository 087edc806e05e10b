@parameters organization_id, session_id, id, method, submission, sides, now
INSERT INTO analysis_job (organization_id, session_id, id, method, submission,
                          sides, due_at, created_at)
VALUES (:organization_id, :session_id, :id, :method, :submission::integer,
        :sides::text[], :now::bigint, :now::bigint)
