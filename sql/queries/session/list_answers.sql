-- The answers of a page of the default length, 10, and one more row, when the key
-- is as expected. With the number known, the plan for any cursor is as good as
-- one for each, and PostgreSQL keeps it: planning takes longer than reading the
-- page.
SELECT
@session_answer
  FROM verification_session
 WHERE organization_id = $1 AND id < coalesce($2::text, 'vks_~')
@session_key_stands
 ORDER BY id DESC
 LIMIT 11
