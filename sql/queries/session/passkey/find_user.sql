-- The user handle of the person of a session's credential: that of the newest
-- passkey for this or another credential of the person.
@parameters organization_id, session_id
SELECT p.user_handle
  FROM passkey p
 WHERE p.organization_id = :organization_id
   AND p.credential_id = ANY (ARRAY(
         SELECT c.id
           FROM credential c
          WHERE c.organization_id = :organization_id
            AND c.session_id = :session_id
         UNION
         SELECT o.id
           FROM credential c
           JOIN credential o
             ON o.organization_id = c.organization_id
            AND o.verified_person_id = c.verified_person_id
          WHERE c.organization_id = :organization_id
            AND c.session_id = :session_id))
 ORDER BY p.created_at DESC
 LIMIT 1
