-- The credentials that session $2 minted, and their tokens, at $3.
WITH revoked AS (
    UPDATE credential
       SET revoked_at = $3::bigint
     WHERE organization_id = $1 AND session_id = $2 AND revoked_at IS NULL
    RETURNING id
)
@credential_tokens_revoked
