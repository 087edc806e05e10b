-- Sessions of a person, newest first: those that minted a credential of the
-- person, and those that name the same client reference id as one of these.
-- The newest :sessions_max of each are examined.
@parameters organization_id, verified_person_id, sessions_max
WITH minted AS (
    SELECT DISTINCT c.session_id
      FROM credential c
     WHERE c.organization_id = :organization_id
       AND c.verified_person_id = :verified_person_id
     ORDER BY c.session_id DESC
     LIMIT :sessions_max::integer
), reference AS (
    SELECT DISTINCT s.client_reference_id AS id
      FROM minted m
      JOIN verification_session s
        ON s.organization_id = :organization_id AND s.id = m.session_id
     WHERE s.client_reference_id IS NOT NULL
), found AS (
    SELECT session_id, 'credential' AS link FROM minted
     UNION
    SELECT named.id, 'reference'
      FROM reference r
     CROSS JOIN LATERAL (
        SELECT s.id
          FROM verification_session s
         WHERE s.organization_id = :organization_id
           AND s.client_reference_id = r.id
         ORDER BY s.id DESC
         LIMIT :sessions_max::integer) named
), linked AS (
    SELECT session_id, array_agg(link ORDER BY link) AS links
      FROM found
     GROUP BY session_id
     ORDER BY session_id DESC
     LIMIT :sessions_max::integer
)
SELECT s.id, s.status, s.last_error ->> 'code', s.client_reference_id,
       l.links, s.created_at, s.completed_at
  FROM linked l
  JOIN verification_session s
    ON s.organization_id = :organization_id AND s.id = l.session_id
 ORDER BY s.id DESC
