-- The same upwards from the cursor $3.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1
   AND id IN (
         (SELECT id
            FROM verification_session
           WHERE organization_id = $1
             AND ($2::text IS NULL OR application_id = $2::text)
             AND id > $3::text
@session_filter
@session_search
           ORDER BY id
           LIMIT $4::integer)
         UNION ALL
         (SELECT id
            FROM (SELECT id, status, client_reference_id, risk_tier
                    FROM verification_session
                   WHERE organization_id = $1
                     AND ($2::text IS NULL OR application_id = $2::text)
                     AND id > $3::text
                   ORDER BY id
                   LIMIT 2000) AS nearest
           WHERE true
@session_filter
@session_search_any
           ORDER BY id
           LIMIT $4::integer))
 ORDER BY id
 LIMIT $4::integer
