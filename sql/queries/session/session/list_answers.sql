-- The stored answers of a page of the default length, 10, plus one row, if the
-- key is as expected. With a fixed number, one plan is as good for any cursor,
-- and PostgreSQL keeps it: planning takes longer than reading the page.
@parameters
    organization_id,
    cursor,          -- only older ones; NULL: all
    answer_version_least, answer_version,
    application_id,  -- of the key; NULL: all
    @expected_key
SELECT
@session_answer
  FROM verification_session
 WHERE organization_id = :organization_id
   AND id < coalesce(:cursor::text, 'vks_~')
@session_key_stands
 ORDER BY id DESC
 LIMIT 11
