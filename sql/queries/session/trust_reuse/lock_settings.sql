@parameters organization_id, application_id
SELECT
@settings_columns
  FROM trust_reuse_settings s
 WHERE s.organization_id = :organization_id
   AND s.application_id = :application_id
   FOR UPDATE
