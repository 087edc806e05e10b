@parameters id
SELECT
@reader_columns
       , r.sealed_key
  FROM reader_identity r
 WHERE r.id = :id
