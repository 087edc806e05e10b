-- What a restricted key may do, and which keys may do everything.
ALTER TABLE api_key
    ADD COLUMN scopes text CHECK (scopes ~ '^([a-z_]+:[a-z]+( [a-z_]+:[a-z]+)*)?$'),
    ADD COLUMN by_admin boolean;
COMMENT ON COLUMN api_key.scopes IS
    'Names of scopes (domain/key_scope.h), which never change; NULL: everything';
COMMENT ON COLUMN api_key.by_admin IS
    'Whether an admin or verifyctl created it; NULL: by an earlier release';
