-- Without the key what backups still hold of the images cannot be opened.
WITH forgotten AS (
    DELETE FROM session_data_key
     WHERE organization_id = $1 AND session_id = $2
), jobs AS (
    DELETE FROM analysis_job
     WHERE organization_id = $1 AND session_id = $2
)
DELETE FROM evidence
 WHERE organization_id = $1 AND session_id = $2
