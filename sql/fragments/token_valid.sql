-- VP token t is valid at :now: not revoked, and not expired.
-- credential_valid.sql checks its credential.
       t.revoked_at IS NULL AND t.expires_at > :now::bigint
