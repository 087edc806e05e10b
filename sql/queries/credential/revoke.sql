-- Credential $2 and its tokens at $3, unless it is revoked already.
WITH revoked AS (
    UPDATE credential
       SET revoked_at = $3::bigint
     WHERE organization_id = $1 AND id = $2 AND revoked_at IS NULL
    RETURNING id
)
@credential_tokens_revoked
