-- Stores the code that the session's person is sent now.
@parameters organization_id, session_id, address_digest, seed, tries, sent_at, expires_at
INSERT INTO email_otp (organization_id, session_id, address_digest, seed, tries,
                       sent_at, expires_at)
VALUES (:organization_id, :session_id, :address_digest::bytea, :seed::bytea,
        :tries::integer, :sent_at::bigint, :expires_at::bigint)
    ON CONFLICT (organization_id, session_id) DO UPDATE
   SET address_digest = excluded.address_digest, seed = excluded.seed,
       tries = excluded.tries, sent_at = excluded.sent_at,
       expires_at = excluded.expires_at
