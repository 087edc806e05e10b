-- Revokes the credentials that a session minted, and their tokens.
@parameters organization_id, session_id, now
WITH revoked AS (
    UPDATE credential
       SET revoked_at = :now::bigint
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND revoked_at IS NULL
    RETURNING id
)
@credential_tokens_revoked
