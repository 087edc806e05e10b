-- How many of an e-mail address and a phone number are the person's, and how
-- many are not, counting only the kinds of which the person has any.
@parameters organization_id, verified_person_id, email_digest, phone_digest
SELECT count(*) FILTER (WHERE k.equal), count(*) FILTER (WHERE NOT k.equal)
  FROM (SELECT bool_or(p.digest = n.digest) AS equal
          FROM (VALUES ('email', :email_digest::bytea),
                       ('phone', :phone_digest::bytea))
                   AS n (kind, digest)
          JOIN person_identifier p
            ON p.organization_id = :organization_id
           AND p.verified_person_id = :verified_person_id
           AND p.kind = n.kind
         WHERE n.digest IS NOT NULL
         GROUP BY n.kind) k
