-- One page of what a search finds by no index, among the newest sessions
-- before the cursor $3. Planned for each call.
SELECT
@session_columns
  FROM (SELECT *
          FROM verification_session
         WHERE organization_id = $1
           AND ($2::text IS NULL OR application_id = $2::text)
           AND id < coalesce($3::text, 'vks_~')
         ORDER BY id DESC
         LIMIT 2000) AS newest
 WHERE true
@session_filter
 ORDER BY id DESC
 LIMIT $4::integer
