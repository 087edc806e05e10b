-- How many of e-mail address ($3) and phone number ($4) are person $2's, and how
-- many are not, of those kinds of which the person has any.
SELECT count(*) FILTER (WHERE k.equal), count(*) FILTER (WHERE NOT k.equal)
  FROM (SELECT bool_or(p.digest = n.digest) AS equal
          FROM (VALUES ('email', $3::bytea), ('phone', $4::bytea))
                   AS n (kind, digest)
          JOIN person_identifier p
            ON p.organization_id = $1 AND p.verified_person_id = $2
           AND p.kind = n.kind
         WHERE n.digest IS NOT NULL
         GROUP BY n.kind) k
