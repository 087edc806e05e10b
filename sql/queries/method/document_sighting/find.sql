-- Whether the pictures or the document of a session were shown since :since in
-- sessions of other persons; the newest :sessions_max sessions of each are
-- examined. Failed, cancelled and expired sessions do not count. Two sessions
-- are of the same person if they share an identifier or the verified person; a
-- document belongs, with every picture of it, to the person who has verified
-- with it before. Unverified claims of a browser never make two persons the
-- same. A document counts as another person's only if both sessions name
-- persons and not the same; the file of a picture also if one session names
-- nobody, because two photographs are never the same file.
@parameters
    organization_id, session_id,
    first_picture, second_picture, document,  -- digests; NULL: none
    since, sessions_max
WITH mine AS (
    SELECT email_digest, phone_digest, verified_person_id, runner
      FROM verification_session
     WHERE organization_id = :organization_id AND id = :session_id
), shown AS (
    SELECT d.is_picture, other.*
      FROM (VALUES (:first_picture::bytea, true),
                   (:second_picture::bytea, true),
                   (:document::bytea, false))
               AS d (digest, is_picture)
     CROSS JOIN LATERAL (
        SELECT o.status, o.email_digest, o.phone_digest, o.verified_person_id,
               o.runner
          FROM (SELECT x.session_id
                  FROM document_sighting x
                 WHERE x.organization_id = :organization_id
                   AND x.digest = d.digest
                   AND x.session_id <> :session_id
                   AND x.created_at >= :since::bigint
                 ORDER BY x.session_id DESC
                 LIMIT :sessions_max::integer) s
          JOIN verification_session o
            ON o.organization_id = :organization_id AND o.id = s.session_id
         WHERE o.status NOT IN ('failed', 'cancelled', 'expired')) other
), compared AS (
    SELECT s.is_picture, s.status,
           coalesce(s.email_digest = m.email_digest, false) AS same_email,
           coalesce(s.phone_digest = m.phone_digest, false) AS same_phone,
           coalesce(s.verified_person_id = m.verified_person_id, false)
               AS same_person,
           coalesce(s.email_digest, s.phone_digest) IS NOT NULL
           AND coalesce(m.email_digest, m.phone_digest) IS NOT NULL AS named,
           coalesce((s.runner ->> 'identifiers_claimed')::boolean, false)
           OR coalesce((m.runner ->> 'identifiers_claimed')::boolean, false)
               AS claimed,
           coalesce((s.runner ->> 'email_otp_proven')::boolean, false)
           AND coalesce((m.runner ->> 'email_otp_proven')::boolean, false)
               AS proven
      FROM shown s, mine m
), judged AS (
    SELECT is_picture, status,
           same_person OR (same_phone AND NOT claimed)
           OR (same_email AND (NOT claimed OR proven)) AS is_same,
           named AND NOT (same_email OR same_phone OR same_person) AS is_other
      FROM compared
)
SELECT others.picture AND NOT own.picture AND NOT own.document,
       others.document AND NOT own.document
  FROM (SELECT coalesce(bool_or(is_picture), false) AS picture,
               coalesce(bool_or(NOT is_picture AND is_other), false) AS document
          FROM judged WHERE NOT is_same) others,
       (SELECT coalesce(bool_or(is_picture), false) AS picture,
               coalesce(bool_or(NOT is_picture), false) AS document
          FROM judged WHERE is_same AND status = 'verified') own
