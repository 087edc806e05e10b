-- Who mints for an identifier of person $2 ends first, or waits for the end of
-- this transaction; the same keys as in person/take_turns.sql.
SELECT pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended($1::text || encode(digest, 'hex'), 0)
               AS key
          FROM person_identifier
         WHERE organization_id = $1 AND verified_person_id = $2
         ORDER BY key) k
