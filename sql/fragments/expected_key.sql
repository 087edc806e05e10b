-- The parameters of idv_api_key_guard_params(): a key, and what its
-- organization allows; a secret key, since no other is guessed.
       key_digest, key_id, key_type, key_expires_at, sandbox, billing_suspended,
       publishable_create_blocked, rate_limit
