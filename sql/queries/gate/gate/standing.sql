-- The current value of a visitor's session. It depends on the credential that
-- the session minted or, if a VP token or a passkey was presented, on the one
-- that was used or one of the same person; such a session has no result of its
-- own. A session that never had a credential, for example because a reviewer
-- decided, depends on its own result, which erasure removes.
@parameters organization_id, id, now
SELECT s.workflow_id, s.status, s.expires_at, s.type, s.completed_at, s.age_tier,
       coalesce((s.runner ->> 'age')::integer, -1),
       coalesce((s.runner ->> 'required_age')::integer, 0),
       w.compiled ->> 'use_case', w.compiled ->> 'article',
       w.compiled ->> 'channel', p.expires_at,
       s.status = 'verified'
         AND CASE WHEN s.verification_path = 'vp_token'
                  THEN p.expires_at IS NOT NULL
                  ELSE s.verification_result IS NOT NULL
                       AND (p.expires_at IS NOT NULL OR p.known = 0) END
  FROM verification_session s
  JOIN workflow_version w
    ON w.organization_id = s.organization_id AND w.id = s.workflow_version_id
 CROSS JOIN LATERAL (
         SELECT count(*) AS known,
                max(c.expires_at) FILTER (WHERE
@credential_valid
                ) AS expires_at
           FROM credential c
          WHERE c.organization_id = s.organization_id
            AND (c.session_id = s.id
                 OR (s.verification_path = 'vp_token'
                     AND (c.verified_person_id = s.verified_person_id
                          OR c.id = ANY (ARRAY(
                               SELECT u.credential_id
                                 FROM vp_token_presentation u
                                WHERE u.organization_id = :organization_id
                                  AND u.session_id = :id)))))) p
 WHERE s.organization_id = :organization_id AND s.id = :id
   AND
@organization_open
