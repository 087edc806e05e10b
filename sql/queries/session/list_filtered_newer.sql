-- One page, upwards from the cursor $3. Planned for each call.
SELECT
@session_columns
  FROM verification_session
 WHERE organization_id = $1
   AND ($2::text IS NULL OR application_id = $2::text)
   AND id > $3::text
@session_filter
 ORDER BY id
 LIMIT $4::integer
