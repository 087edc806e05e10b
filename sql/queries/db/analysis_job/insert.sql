@parameters organization_id, session_id, id, method, submission, sides, now,
            trace
INSERT INTO analysis_job (organization_id, session_id, id, method, submission,
                          sides, due_at, created_at, trace)
VALUES (:organization_id, :session_id, :id, :method, :submission::integer,
        :sides::text[], :now::bigint, :now::bigint,
        :trace::bytea)
