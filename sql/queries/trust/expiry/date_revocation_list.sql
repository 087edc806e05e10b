-- Stores the expiry and the issuer of an imported revocation list, unless
-- another edition has arrived meanwhile.
@parameters
    address_digest,  -- hexadecimal
    body_digest,     -- of what was read
    ends_at, issuer
UPDATE revocation_list
   SET ends_at = :ends_at::bigint, issuer = :issuer::text
 WHERE address_digest = decode(:address_digest, 'hex')
   AND md5(body) = :body_digest::text
