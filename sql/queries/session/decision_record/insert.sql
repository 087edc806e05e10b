@parameters
    organization_id, session_id, submission, method, verdict, record, decided_at,
    fields
INSERT INTO decision_record (organization_id, session_id, submission, method,
                             verdict, record, decided_at, fields)
VALUES (:organization_id, :session_id, :submission::integer, :method, :verdict,
        :record::json, :decided_at::bigint, :fields::bytea)
ON CONFLICT (organization_id, session_id, submission) DO UPDATE
   SET method = excluded.method, verdict = excluded.verdict,
       record = excluded.record, decided_at = excluded.decided_at,
       fields = excluded.fields
