-- An assessment, and the observation of each identifier that it had.
WITH assessment AS (
    INSERT INTO risk_assessment (organization_id, id, application_id,
                                 session_id, body, created_at)
    VALUES ($1, $2, $3, $4, $5::json, $6::bigint)
)
INSERT INTO risk_observation (organization_id, kind, digest, created_at,
                              assessment_id, person_digest)
SELECT $1, o.kind, o.digest, $6::bigint, $2, $11::bytea
  FROM (VALUES ('ip', $7::bytea), ('email', $8::bytea), ('phone', $9::bytea),
               ('device', $10::bytea)) o (kind, digest)
 WHERE o.digest IS NOT NULL
