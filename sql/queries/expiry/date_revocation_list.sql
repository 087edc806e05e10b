-- Writes down when an imported revocation list ends, and whose it is.
@parameters
    address_digest,  -- hexadecimal
    ends_at, issuer
UPDATE revocation_list
   SET ends_at = :ends_at::bigint, issuer = :issuer::text
 WHERE address_digest = decode(:address_digest, 'hex')
