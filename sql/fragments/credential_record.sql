-- The data of a credential for operators, in the order of
-- store/session/credential_record.c.
       c.organization_id, c.id, c.verified_person_id, c.session_id, c.method,
       c.strength, c.assurance, c.age_tier, c.verified_at, c.expires_at,
       c.revoked_at,
       EXISTS (SELECT FROM shared_credential x
                WHERE x.organization_id = c.organization_id
                  AND x.credential_id = c.id),
       (SELECT coalesce(json_agg(json_build_object(
                 'id', encode(t.digest, 'hex'),
                 'object', 'vp_token',
                 'expires_at', t.expires_at / 1000,
                 'revoked_at', t.revoked_at / 1000,
                 'created', t.created_at / 1000)
               ORDER BY t.created_at, t.digest), '[]')
          FROM vp_token t
         WHERE t.organization_id = c.organization_id
           AND t.credential_id = c.id),
       (SELECT coalesce(json_agg(json_build_object(
                 'id', encode(p.digest, 'hex'),
                 'object', 'passkey',
                 'last_used_at', p.last_used_at / 1000,
                 'cloned_at', p.cloned_at / 1000,
                 'created', p.created_at / 1000)
               ORDER BY p.created_at, p.digest), '[]')
          FROM passkey p
         WHERE p.organization_id = c.organization_id
           AND p.credential_id = c.id)
  FROM credential c
