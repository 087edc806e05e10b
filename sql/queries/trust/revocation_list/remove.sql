-- Removes the copy at an address; returns it without its body.
@parameters address_digest
DELETE FROM revocation_list
 WHERE address_digest = :address_digest::bytea
RETURNING substr(address, 6), issuer, ends_at, fetched_at
