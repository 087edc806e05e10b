-- The same upwards from the cursor $3.
SELECT
@session_columns
  FROM (SELECT *
          FROM verification_session
         WHERE organization_id = $1
           AND ($2::text IS NULL OR application_id = $2::text)
           AND id > $3::text
         ORDER BY id
         LIMIT 2000) AS next
 WHERE true
@session_filter
 ORDER BY id
 LIMIT $4::integer
