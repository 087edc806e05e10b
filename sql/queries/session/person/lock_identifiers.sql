-- Mints for an identifier of the person finish first, or wait for the end of
-- this transaction; the same keys as in person/take_turns.sql.
@parameters organization_id, verified_person_id
SELECT pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended(
                 :organization_id::text || encode(digest, 'hex'), 0) AS key
          FROM person_identifier
         WHERE organization_id = :organization_id
           AND verified_person_id = :verified_person_id
         ORDER BY key) k
