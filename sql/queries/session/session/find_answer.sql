-- The answer of a session. No row also when the key is not as expected: this is
-- one statement where looking at the key first would be another.
@parameters
    organization_id,
    id,
    answer_version_least, answer_version,
    application_id,  -- of the key; NULL: all
    @expected_key
SELECT
@session_answer
  FROM verification_session
@in_scope
@session_key_stands
