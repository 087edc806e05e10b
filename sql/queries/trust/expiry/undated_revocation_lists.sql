-- Imported revocation lists whose expiry was not read yet.
@parameters limit
SELECT encode(address_digest, 'hex'), body, md5(body)
  FROM revocation_list
 WHERE ends_at IS NULL AND address LIKE 'csca:%'
 ORDER BY address_digest
 LIMIT :limit::integer
