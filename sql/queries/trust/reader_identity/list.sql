-- All identities, the oldest first.
@parameters
    organization_id  -- NULL: all
SELECT
@reader_columns
  FROM reader_identity r
 WHERE :organization_id::text IS NULL
    OR r.organization_id IN ('', :organization_id::text)
 ORDER BY r.id
