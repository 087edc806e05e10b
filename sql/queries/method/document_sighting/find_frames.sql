-- Whether one of these pictures was shown since :since, in another session or
-- in this one before :begun.
@parameters organization_id, session_id, digests, since, begun
SELECT EXISTS (
    SELECT
      FROM unnest(:digests::text[]) AS d (digest)
      JOIN document_sighting s
        ON s.organization_id = :organization_id
       AND s.digest = decode(d.digest, 'hex')
     WHERE s.created_at >= :since::bigint
       AND (s.session_id <> :session_id OR s.created_at < :begun::bigint))
