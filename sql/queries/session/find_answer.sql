-- $4 is the application of the key, or NULL for an organization-wide key. No row
-- also when the key is not as expected: this is one statement where looking at
-- the key first would be another.
SELECT
@session_answer
  FROM verification_session
 WHERE organization_id = $1 AND id = $2
   AND ($4::text IS NULL OR application_id = $4::text)
@session_key_stands
