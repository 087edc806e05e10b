-- Serializes transactions that mint for the same e-mail address or phone
-- number, so that the next one sees the person created by the first. Locks are
-- taken in one order to avoid deadlocks.
@parameters organization_id, email_digest, phone_digest
SELECT pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended(
                 :organization_id::text || encode(d.digest, 'hex'), 0) AS key
          FROM (VALUES (:email_digest::bytea),
                       (:phone_digest::bytea)) d (digest)
         WHERE d.digest IS NOT NULL
         ORDER BY key) k
