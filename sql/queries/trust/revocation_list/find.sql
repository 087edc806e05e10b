@parameters address_digest
SELECT body, fetched_at, tried_at, error
  FROM revocation_list
 WHERE address_digest = :address_digest::bytea
