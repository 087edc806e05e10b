-- The number of persons who showed the pictures and the document of a session,
-- including its own, since :since; the newest :sessions_max sessions of each
-- are examined. Failed, cancelled and expired sessions and those that name
-- nobody do not count. The result is 0 if the session's person has verified
-- with the document before: then it is that person's, whoever else showed it.
@parameters organization_id, session_id, since, sessions_max
WITH mine AS (
    SELECT email_digest, phone_digest, verified_person_id
      FROM verification_session
     WHERE organization_id = :organization_id AND id = :session_id
), shown AS (
    SELECT coalesce(o.email_digest, o.phone_digest) AS who, o.status,
           coalesce(o.email_digest = m.email_digest, false)
           OR coalesce(o.phone_digest = m.phone_digest, false)
           OR coalesce(o.verified_person_id = m.verified_person_id, false)
               AS is_same,
           coalesce((o.runner ->> 'identifiers_claimed')::boolean, false)
               AS claimed
      FROM mine m
     CROSS JOIN document_sighting d
     CROSS JOIN LATERAL (
        SELECT x.session_id
          FROM document_sighting x
         WHERE x.organization_id = :organization_id AND x.digest = d.digest
           AND x.session_id <> :session_id AND x.created_at >= :since::bigint
         ORDER BY x.session_id DESC
         LIMIT :sessions_max::integer) s
      JOIN verification_session o
        ON o.organization_id = :organization_id AND o.id = s.session_id
     WHERE d.organization_id = :organization_id
       AND d.session_id = :session_id
       AND o.status NOT IN ('failed', 'cancelled', 'expired')
)
SELECT CASE WHEN coalesce(bool_or(is_same AND NOT claimed
                                  AND status = 'verified'), false)
            THEN 0
            ELSE count(DISTINCT who) FILTER (WHERE NOT is_same) + 1 END
  FROM shown
