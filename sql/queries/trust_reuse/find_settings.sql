SELECT
@settings_columns
  FROM trust_reuse_settings s
 WHERE s.organization_id = $1 AND s.application_id = $2
