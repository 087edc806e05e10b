-- Trusted certificates whose expiry was not read yet.
@parameters limit
SELECT encode(digest, 'hex'), certificate
  FROM trust_certificate
 WHERE not_after IS NULL
 ORDER BY digest
 LIMIT :limit::integer
