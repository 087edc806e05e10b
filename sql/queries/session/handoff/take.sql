-- A phone takes the session by its link, which is then used up: of two
-- concurrent phones one finds it gone. The page knows the phone's secret for as
-- long as the session exists.
@parameters
    organization_id, session_id, token_digest, pairing, now, phone,
    secret_digest, idle_at
WITH taken AS (
    UPDATE handoff
       SET token_digest = NULL, phone = :phone::integer,
           secret_digest = :secret_digest::bytea, held = true,
           idle_at = :idle_at::bigint
     WHERE organization_id = :organization_id AND session_id = :session_id
       AND token_digest = :token_digest::bytea AND pairing = :pairing::integer
       AND expires_at > :now::bigint
    RETURNING organization_id, session_id, secret_digest
)
INSERT INTO page_secret (organization_id, digest, session_id)
SELECT organization_id, secret_digest, session_id FROM taken
