SELECT id, organization_id, application_id, type, last_characters,
       expires_at, revoked_at, created_at
  FROM api_key
 WHERE organization_id = $1
 ORDER BY id
