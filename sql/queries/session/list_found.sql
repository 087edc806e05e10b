-- The sessions of these ids, in their order; each is looked up by itself.
SELECT session.*
  FROM unnest($2::text[]) WITH ORDINALITY AS page (session_id, place)
 CROSS JOIN LATERAL (
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1 AND id = page.session_id
 LIMIT 1
       ) session
 ORDER BY page.place
