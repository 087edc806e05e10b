-- Credential c is valid at :now: not revoked, not expired, and not in doubt.
       c.revoked_at IS NULL AND c.expires_at > :now::bigint
   AND NOT EXISTS (SELECT FROM verification_session s
                    WHERE s.organization_id = c.organization_id
                      AND s.id = c.session_id AND s.status = 'under_review')
