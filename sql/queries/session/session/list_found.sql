-- The sessions with these ids, in their order; each is looked up separately.
@parameters organization_id, ids
SELECT session.*
  FROM unnest(:ids::text[]) WITH ORDINALITY AS page (session_id, place)
 CROSS JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = :organization_id AND id = page.session_id
 LIMIT 1
       ) session
 ORDER BY page.place
