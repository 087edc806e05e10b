-- The stored answer of a session. Also no row if the key is not as expected:
-- one statement instead of two, one of which would check the key first.
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
