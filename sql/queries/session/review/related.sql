-- Other sessions with the same document, the same pictures, the same person or
-- the same device, newest first; :sessions_max of each are examined. The person is the one whom
-- the session's identifiers belong to, even if it merely claims them, as
-- `claimed` says.
@parameters organization_id, session_id, sessions_max
WITH mine AS (
    SELECT email_digest, phone_digest, verified_person_id,
           coalesce((runner ->> 'identifiers_claimed')::boolean, false)
               AS claimed
      FROM verification_session
     WHERE organization_id = :organization_id AND id = :session_id
), person AS (
    SELECT m.verified_person_id AS id FROM mine m
     WHERE m.verified_person_id IS NOT NULL
     UNION
    SELECT i.verified_person_id
      FROM mine m
     CROSS JOIN LATERAL (VALUES ('email', m.email_digest),
                                ('phone', m.phone_digest))
                     d (kind, digest)
      JOIN person_identifier i
        ON i.organization_id = :organization_id AND i.kind = d.kind
       AND i.digest = d.digest
     WHERE d.digest IS NOT NULL
), found AS (
    SELECT x.session_id, 'evidence' AS shared
      FROM (SELECT digest
              FROM document_sighting
             WHERE organization_id = :organization_id
               AND session_id = :session_id
             LIMIT :sessions_max::integer) d
     CROSS JOIN LATERAL (
        SELECT s.session_id
          FROM document_sighting s
         WHERE s.organization_id = :organization_id AND s.digest = d.digest
           AND s.session_id <> :session_id
         ORDER BY s.session_id DESC
         LIMIT :sessions_max::integer) x
     UNION
    SELECT c.session_id, 'person'
      FROM person p
     CROSS JOIN LATERAL (
        SELECT k.session_id
          FROM credential k
         WHERE k.organization_id = :organization_id
           AND k.verified_person_id = p.id AND k.session_id <> :session_id
         ORDER BY k.id DESC
         LIMIT :sessions_max::integer) c
     UNION
    SELECT x.session_id, 'device'
      FROM (SELECT DISTINCT o.device_digest AS digest
              FROM risk_assessment a
              JOIN risk_observation o
                ON o.organization_id = :organization_id
               AND o.assessment_id = a.id
             WHERE a.organization_id = :organization_id
               AND a.session_id = :session_id
               AND o.device_digest IS NOT NULL
             LIMIT :sessions_max::integer) d
     CROSS JOIN LATERAL (
        SELECT o.assessment_id
          FROM risk_observation o
         WHERE o.organization_id = :organization_id
           AND o.device_digest = d.digest
         ORDER BY o.created_at DESC
         LIMIT :sessions_max::integer) seen
     CROSS JOIN LATERAL (
        SELECT a.session_id
          FROM risk_assessment a
         WHERE a.organization_id = :organization_id
           AND a.id = seen.assessment_id AND a.session_id <> :session_id
         LIMIT 1) x
), counted AS (
    SELECT session_id, array_agg(shared ORDER BY shared) AS shared
      FROM found
     GROUP BY session_id
     ORDER BY session_id DESC
     LIMIT :sessions_max::integer
)
SELECT s.id, c.shared, s.status, s.last_error ->> 'code', s.created_at,
       s.completed_at, (SELECT claimed FROM mine), s.client_reference_id
  FROM counted c
  JOIN verification_session s
    ON s.organization_id = :organization_id AND s.id = c.session_id
 ORDER BY s.id DESC
