-- The columns of a key as it is shown, in the order of store/api_key.c.
       id, organization_id, application_id, type, last_characters, expires_at,
       revoked_at, created_at
