-- How often each identifier was assessed since $6, in whose hours $7, at most as
-- often as $10 to $13 say; and how many persons other than $9 came with the
-- device since $8, which is before $6, in its newest thousand uses.
SELECT (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND hour = ANY ($7::bigint[])
             AND ip_digest = $2::bytea AND created_at > $6::bigint
           LIMIT $10::integer) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND hour = ANY ($7::bigint[])
             AND email_digest = $3::bytea AND created_at > $6::bigint
           LIMIT $11::integer) seen),
       (SELECT count(*) FROM (
          SELECT FROM risk_observation
           WHERE organization_id = $1 AND hour = ANY ($7::bigint[])
             AND phone_digest = $4::bytea AND created_at > $6::bigint
           LIMIT $12::integer) seen),
       least(count(*) FILTER (WHERE device.created_at > $6::bigint),
             $13::integer),
       count(DISTINCT device.person_digest)
         FILTER (WHERE device.person_digest IS DISTINCT FROM $9::bytea)
  FROM (SELECT created_at, person_digest
          FROM risk_observation
         WHERE organization_id = $1 AND device_digest = $5::bytea
           AND created_at > $8::bigint
         ORDER BY created_at DESC
         LIMIT greatest(1000, $13::integer)) device
