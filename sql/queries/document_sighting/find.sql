-- Whether the pictures $3 and $4, or the document $5, were shown since $6 in
-- other sessions of somebody else; at most $7 sessions of each are looked at,
-- the newest. What came to nothing does not count. Somebody is the same when an
-- identifier or the verified person is; who has verified with a document before
-- is the one it belongs to, with every picture of it. A document is somebody
-- else's only where both sessions know their person, the file of a picture also
-- where one does not: nobody takes the same picture twice.
WITH mine AS (
    SELECT email_digest, phone_digest, verified_person_id,
           coalesce(email_digest, phone_digest) IS NOT NULL AS is_known
      FROM verification_session
     WHERE organization_id = $1 AND id = $2
), seen AS (
    SELECT d.is_picture, other.status, mine.is_known AND other.is_known AS known,
           coalesce(mine.email_digest = other.email_digest, false)
           OR coalesce(mine.phone_digest = other.phone_digest, false)
           OR coalesce(mine.verified_person_id = other.verified_person_id, false)
               AS is_same
      FROM mine,
           (VALUES ($3::bytea, true), ($4::bytea, true), ($5::bytea, false))
               AS d (digest, is_picture)
     CROSS JOIN LATERAL (
        SELECT o.status, o.email_digest, o.phone_digest, o.verified_person_id,
               coalesce(o.email_digest, o.phone_digest) IS NOT NULL AS is_known
          FROM (SELECT x.session_id
                  FROM document_sighting x
                 WHERE x.organization_id = $1 AND x.digest = d.digest
                   AND x.session_id <> $2 AND x.created_at >= $6::bigint
                 ORDER BY x.session_id DESC
                 LIMIT $7::integer) s
          JOIN verification_session o
            ON o.organization_id = $1 AND o.id = s.session_id
         WHERE o.status NOT IN ('failed', 'cancelled', 'expired')) other
)
SELECT others.picture AND NOT own.picture AND NOT own.document,
       others.document AND NOT own.document
  FROM (SELECT coalesce(bool_or(is_picture), false) AS picture,
               coalesce(bool_or(NOT is_picture AND known), false) AS document
          FROM seen WHERE NOT is_same) others,
       (SELECT coalesce(bool_or(is_picture), false) AS picture,
               coalesce(bool_or(NOT is_picture), false) AS document
          FROM seen WHERE is_same AND status = 'verified') own
