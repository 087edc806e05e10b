-- The displayed columns of a key, in the order of store/account/api_key.c.
       k.id, k.organization_id, k.application_id, k.type, k.last_characters,
       k.expires_at, k.revoked_at, k.created_at, k.label,
       (SELECT u.used_at
          FROM api_key_use u
         WHERE u.organization_id = k.organization_id AND u.id = k.id),
       k.scopes
