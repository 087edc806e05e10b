-- Records an offered answer to an open request. The previous offer has been
-- opened, or its job is gone.
@parameters organization_id, id, protocol, session_id, opening, offered,
    return_digest, refused_most, now
UPDATE mdl_request m
   SET opening = :opening, offered = :offered::bytea,
       return_digest = :return_digest::bytea, returned_at = NULL,
       verdict = NULL, reason = NULL
 WHERE m.organization_id = :organization_id AND m.id = :id
   AND m.protocol = :protocol AND m.session_id = :session_id
   AND m.answered_at IS NULL AND m.expires_at > :now::bigint
   AND m.refused < :refused_most::integer
   AND NOT EXISTS (SELECT FROM analysis_job j
                    WHERE j.organization_id = m.organization_id
                      AND j.session_id = m.session_id AND j.id = m.opening)
