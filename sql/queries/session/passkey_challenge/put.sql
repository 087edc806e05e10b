-- Stores the challenge of a session's ceremony, in place of an earlier one.
@parameters organization_id, session_id, ceremony, challenge, user_handle, expires_at
INSERT INTO passkey_challenge (organization_id, session_id, ceremony, challenge,
                               user_handle, expires_at)
VALUES (:organization_id, :session_id, :ceremony, :challenge::bytea,
        :user_handle::bytea, :expires_at::bigint)
    ON CONFLICT (organization_id, session_id, ceremony) DO UPDATE
   SET challenge = excluded.challenge, user_handle = excluded.user_handle,
       expires_at = excluded.expires_at
