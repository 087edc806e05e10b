-- The parameters of idv_api_key_guard_params(): a key, and the state of its
-- organization; a secret key, since no other is taken from the cache.
       key_digest, key_id, key_type, key_expires_at, sandbox, billing_suspended,
       publishable_create_blocked, rate_limit
