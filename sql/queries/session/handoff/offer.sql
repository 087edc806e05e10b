-- A new link for a session; the previous one is void. The phone that had the
-- session is kept until another takes it, so that it can be told. The page knows
-- the link for as long as the session exists.
@parameters organization_id, session_id, token_digest, pairing, choices, expires_at
WITH known AS (
    INSERT INTO page_secret (organization_id, digest, session_id)
    VALUES (:organization_id, :token_digest::bytea, :session_id)
)
INSERT INTO handoff (organization_id, session_id, token_digest, pairing,
                     choices, expires_at)
VALUES (:organization_id, :session_id, :token_digest::bytea, :pairing::integer,
        :choices::integer[], :expires_at::bigint)
    ON CONFLICT (organization_id, session_id) DO UPDATE
   SET token_digest = excluded.token_digest, pairing = excluded.pairing,
       choices = excluded.choices, expires_at = excluded.expires_at
