-- Stores the result of a download; without a body (NULL) the existing copy
-- stays.
@parameters address_digest, address, body, error, now
INSERT INTO revocation_list AS l (address_digest, address, body, fetched_at,
                                  tried_at, error)
VALUES (:address_digest::bytea, :address, :body::bytea,
        CASE WHEN :body::bytea IS NOT NULL THEN :now::bigint END,
        :now::bigint, :error::text)
ON CONFLICT (address_digest) DO UPDATE
   SET body = coalesce(excluded.body, l.body),
       ends_at = CASE WHEN excluded.body IS NULL THEN l.ends_at END,
       fetched_at = coalesce(excluded.fetched_at, l.fetched_at),
       tried_at = excluded.tried_at,
       error = excluded.error
