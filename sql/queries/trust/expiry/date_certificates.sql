-- Stores the expiry dates of trusted certificates.
@parameters
    digests,   -- hexadecimal
    not_after  -- of each
UPDATE trust_certificate t
   SET not_after = dated.not_after
  FROM unnest(:digests::text[], :not_after::bigint[]) AS dated (digest, not_after)
 WHERE t.digest = decode(dated.digest, 'hex')
