-- The lists that an operator imported, the first to expire first.
@parameters limit
SELECT substr(address, 6), issuer, ends_at, fetched_at
  FROM revocation_list
 WHERE ends_at IS NOT NULL
 ORDER BY ends_at, address_digest
 LIMIT :limit::integer
