-- Revokes a credential and its tokens, unless it is revoked already.
@parameters organization_id, id, now
WITH revoked AS (
    UPDATE credential
       SET revoked_at = :now::bigint
     WHERE organization_id = :organization_id AND id = :id
       AND revoked_at IS NULL
    RETURNING id
)
@credential_tokens_revoked
