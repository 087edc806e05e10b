-- An organization's identity of a kind: its own, else the server's.
@parameters organization_id, kind
SELECT
@reader_columns
       , r.sealed_key
  FROM reader_identity r
 WHERE r.organization_id IN ('', :organization_id) AND r.kind = :kind
   AND r.status = 'active'
 ORDER BY r.organization_id DESC
 LIMIT 1
