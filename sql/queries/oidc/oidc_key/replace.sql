-- Sets the end of keys that another one replaces.
@parameters algorithm, but_id, ends_at
UPDATE oidc_key
   SET ends_at = least(ends_at, :ends_at::bigint)
 WHERE algorithm = :algorithm AND id <> :but_id
