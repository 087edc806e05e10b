-- VP token t is valid at :now: not revoked, and not expired. Whether its
-- credential is valid stands in credential_valid.sql.
       t.revoked_at IS NULL AND t.expires_at > :now::bigint
