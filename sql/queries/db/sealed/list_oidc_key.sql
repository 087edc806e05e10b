-- Up to :limit values after a row, sealed by versions other than :version.
@parameters after_id, version, limit
SELECT id, sealed_key
  FROM oidc_key
 WHERE id > :after_id
   AND get_byte(sealed_key, 0) <> :version::integer
 ORDER BY id
 LIMIT :limit::integer
