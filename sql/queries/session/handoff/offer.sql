-- A new link for a session; the previous one is void. The phone that had the
-- session is kept until another takes it, so that it can be told.
@parameters organization_id, session_id, token_digest, pairing, choices, expires_at
INSERT INTO handoff (organization_id, session_id, token_digest, pairing,
                     choices, expires_at)
VALUES (:organization_id, :session_id, :token_digest::bytea, :pairing::integer,
        :choices::integer[], :expires_at::bigint)
    ON CONFLICT (organization_id, session_id) DO UPDATE
   SET token_digest = excluded.token_digest, pairing = excluded.pairing,
       choices = excluded.choices, expires_at = excluded.expires_at
