-- Transactions that mint for the same e-mail address ($2) or phone number ($3)
-- go one after another: the next one sees the person whom the first has made.
-- In one order, so that none waits for another in a circle.
SELECT pg_advisory_xact_lock(k.key)
  FROM (SELECT DISTINCT hashtextextended($1::text || encode(d.digest, 'hex'), 0)
               AS key
          FROM (VALUES ($2::bytea), ($3::bytea)) d (digest)
         WHERE d.digest IS NOT NULL
         ORDER BY key) k
