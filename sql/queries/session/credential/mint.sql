-- Finds or creates the person of the identifiers, and mints a credential with
-- its token for that person. If e-mail and phone belong to two persons, the
-- e-mail decides. Transactions for the same identifiers were serialized before
-- (person/take_turns.sql). Without identifiers there is no person, but a
-- credential.
@parameters
    organization_id,
    new_person_id,  -- of the person if a new one is created
    email_digest,
    phone_digest,
    id, session_id, method, strength, age_tier, age_over, methods, jurisdiction,
    verified_at, expires_at,
    now,
    token_digest,
    token_expires_at,
    hash_digest,
    assurance
WITH known AS (
    SELECT verified_person_id
      FROM person_identifier
     WHERE organization_id = :organization_id
       AND ((kind = 'email' AND digest = :email_digest::bytea)
            OR (kind = 'phone' AND digest = :phone_digest::bytea))
     ORDER BY kind
     LIMIT 1
), person AS (
    INSERT INTO verified_person (organization_id, id, created_at)
    SELECT :organization_id, :new_person_id, :now::bigint
     WHERE NOT EXISTS (SELECT FROM known)
       AND coalesce(:email_digest::bytea, :phone_digest::bytea) IS NOT NULL
    RETURNING id
), chosen AS (
    SELECT verified_person_id AS id FROM known
    UNION ALL
    SELECT id FROM person
), identified AS (
    INSERT INTO person_identifier AS p (organization_id, kind, digest,
                                        verified_person_id, created_at)
    SELECT :organization_id, i.kind, i.digest, c.id, :now::bigint
      FROM chosen c,
           (VALUES ('email', :email_digest::bytea),
                   ('phone', :phone_digest::bytea))
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
    SELECT :organization_id, :id,
           (SELECT verified_person_id FROM identified ORDER BY kind LIMIT 1),
           :session_id, :method, :strength, :age_tier::text, :age_over::integer,
           :methods::text[], :jurisdiction::text,
           :verified_at::bigint, :expires_at::bigint, :hash_digest::bytea,
           :assurance
    RETURNING organization_id, id, verified_person_id, session_id
), token AS (
    INSERT INTO vp_token (organization_id, digest, credential_id, session_id,
                          expires_at, created_at)
    SELECT organization_id, :token_digest::bytea, id, session_id,
           :token_expires_at::bigint,
           :now::bigint
      FROM minted
)
SELECT verified_person_id
  FROM minted
