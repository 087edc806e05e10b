-- The person whom the identifiers name, or a new one ($2), and a credential
-- with its token for it. When e-mail and phone belong to two persons, the
-- e-mail decides. Transactions for the same identifiers take turns before
-- (person/take_turns.sql). Without identifiers there is no person, but a
-- credential.
WITH known AS (
    SELECT verified_person_id
      FROM person_identifier
     WHERE organization_id = $1
       AND ((kind = 'email' AND digest = $3::bytea)
            OR (kind = 'phone' AND digest = $4::bytea))
     ORDER BY kind
     LIMIT 1
), person AS (
    INSERT INTO verified_person (organization_id, id, created_at)
    SELECT $1, $2, $15::bigint
     WHERE NOT EXISTS (SELECT FROM known)
       AND coalesce($3::bytea, $4::bytea) IS NOT NULL
    RETURNING id
), chosen AS (
    SELECT verified_person_id AS id FROM known
    UNION ALL
    SELECT id FROM person
), identified AS (
    INSERT INTO person_identifier AS p (organization_id, kind, digest,
                                        verified_person_id, created_at)
    SELECT $1, i.kind, i.digest, c.id, $15::bigint
      FROM chosen c,
           (VALUES ('email', $3::bytea), ('phone', $4::bytea))
               AS i (kind, digest)
     WHERE i.digest IS NOT NULL
    ON CONFLICT (organization_id, kind, digest) DO UPDATE
       SET verified_person_id = p.verified_person_id
    RETURNING kind, verified_person_id
), minted AS (
    INSERT INTO credential (organization_id, id, verified_person_id,
                            session_id, method, strength, age_tier, age_over,
                            methods, jurisdiction, verified_at, expires_at,
                            hash_digest, assurance)
    SELECT $1, $5,
           (SELECT verified_person_id FROM identified ORDER BY kind LIMIT 1),
           $6, $7, $8, $9::text, $10::integer, $11::text[], $12::text,
           $13::bigint, $14::bigint, $18::bytea, $19
    RETURNING organization_id, id, verified_person_id, session_id
), token AS (
    INSERT INTO vp_token (organization_id, digest, credential_id, session_id,
                          expires_at, created_at)
    SELECT organization_id, $16::bytea, id, session_id, $17::bigint,
           $15::bigint
      FROM minted
)
SELECT verified_person_id
  FROM minted
