-- One page of a search, newest first; $3 is the cursor or NULL: what indexes
-- find, and what they do not find among the newest sessions before the cursor.
-- Planned for each call.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1
   AND id IN (
         (SELECT id
            FROM verification_session
           WHERE organization_id = $1
             AND ($2::text IS NULL OR application_id = $2::text)
             AND id < coalesce($3::text, 'vks_~')
@session_filter
@session_search
           ORDER BY id DESC
           LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM (SELECT id, status, client_reference_id, risk_tier
                    FROM verification_session
                   WHERE organization_id = $1
                     AND ($2::text IS NULL OR application_id = $2::text)
                     AND id < coalesce($3::text, 'vks_~')
                   ORDER BY id DESC
                   LIMIT 2000) AS nearest
           WHERE true
@session_filter
@session_search_any
           ORDER BY id DESC
           LIMIT $4::integer))
 ORDER BY id DESC
 LIMIT $4::integer
