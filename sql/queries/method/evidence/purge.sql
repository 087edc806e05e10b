-- Removes the key, too, so that images in backups cannot be decrypted.
@parameters organization_id, session_id
WITH forgotten AS (
    DELETE FROM session_data_key
     WHERE organization_id = :organization_id AND session_id = :session_id
), challenge AS (
    DELETE FROM liveness_challenge
     WHERE organization_id = :organization_id AND session_id = :session_id
), jobs AS (
    DELETE FROM analysis_job
     WHERE organization_id = :organization_id AND session_id = :session_id
), asked AS (
    DELETE FROM mdl_request
     WHERE organization_id = :organization_id AND session_id = :session_id
), read AS (
    UPDATE decision_record
       SET fields = NULL
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND fields IS NOT NULL
)
DELETE FROM evidence
 WHERE organization_id = :organization_id AND session_id = :session_id
