-- The answer of a session. No row also when the key is not as expected: this is
-- one statement where looking at the key first would be another.
@parameters
    organization_id,
    id,
    answer_version,
    application_id,  -- of the key; NULL: all
    @expected_key
SELECT
@session_answer
  FROM verification_session
 WHERE organization_id = :organization_id AND id = :id
   AND (:application_id::text IS NULL OR application_id = :application_id::text)
@session_key_stands
