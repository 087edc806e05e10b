-- How often each identifier was assessed since $6, and how many persons came
-- with the device since $7, with the person $8 of now. Bounded looks.
SELECT
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND kind = 'ip'
             AND digest = $2::bytea AND created_at > $6::bigint
           LIMIT 10000) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND kind = 'email'
             AND digest = $3::bytea AND created_at > $6::bigint
           LIMIT 10000) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND kind = 'phone'
             AND digest = $4::bytea AND created_at > $6::bigint
           LIMIT 10000) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND kind = 'device'
             AND digest = $5::bytea AND created_at > $6::bigint
           LIMIT 10000) seen),
       (SELECT count(DISTINCT person) FROM (
          (SELECT person_digest AS person
             FROM risk_observation
            WHERE organization_id = $1 AND kind = 'device'
              AND digest = $5::bytea AND created_at > $7::bigint
            ORDER BY created_at DESC
            LIMIT 1000)
          UNION ALL
          SELECT $8::bytea) persons)
