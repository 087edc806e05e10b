-- Transactions that mint for the same e-mail address or phone number go one
-- after another: the next one sees the person whom the first has made. In one
-- order, so that none waits for another in a circle.
@parameters organization_id, email_digest, phone_digest
SELECT pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended(
                 :organization_id::text || encode(d.digest, 'hex'), 0) AS key
          FROM (VALUES (:email_digest::bytea),
                       (:phone_digest::bytea)) d (digest)
         WHERE d.digest IS NOT NULL
         ORDER BY key) k
