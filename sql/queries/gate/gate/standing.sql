-- The current value of a visitor's session. It depends on the credential that
-- the session minted or, if a VP token was presented, on one of the same
-- person. A session that never had a credential, for example because a reviewer
-- decided, depends on its own result, which erasure removes.
@parameters organization_id, id, now
SELECT s.workflow_id, s.status, s.expires_at, s.type, s.completed_at, s.age_tier,
       coalesce((s.runner ->> 'age')::integer, -1),
       coalesce((s.runner ->> 'required_age')::integer, 0),
       w.compiled ->> 'use_case', w.compiled ->> 'article',
       w.compiled ->> 'channel', p.expires_at,
       s.status = 'verified' AND s.verification_result IS NOT NULL
         AND (p.expires_at IS NOT NULL
              OR (p.known = 0
                  AND s.verification_path IS DISTINCT FROM 'vp_token'))
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
                     AND c.verified_person_id = s.verified_person_id))) p
 WHERE s.organization_id = :organization_id AND s.id = :id
   AND
@organization_open
