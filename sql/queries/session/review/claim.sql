-- A reviewer takes a held session, or keeps it for longer. What a reviewer has had
-- of it counts on, be it given back or run out, until nobody else came for a
-- pause: nobody has a session for longer than the longest claim before others
-- could come first. No row when another has it, or the reviewer had it so long.
-- The session is locked.
@parameters
    organization_id, session_id, reviewer,
    was_last,  -- the reviewer can be who had it last (domain/account/operator_key.h)
    now, expires_at,
    longest, pause  -- milliseconds
INSERT INTO review_claim AS c (organization_id, session_id, reviewer,
                               claimed_at, expires_at)
VALUES (:organization_id::text, :session_id::text, :reviewer::text,
        :now::bigint, :expires_at::bigint)
ON CONFLICT (organization_id, session_id) DO UPDATE
   SET (reviewer, claimed_at, expires_at) = (
        SELECT excluded.reviewer,
               CASE WHEN goes_on THEN c.claimed_at
                    ELSE excluded.claimed_at END,
               CASE WHEN goes_on THEN least(excluded.expires_at,
                                            c.claimed_at + :longest::bigint)
                    ELSE excluded.expires_at END
          FROM (SELECT :was_last::boolean
                       AND c.expires_at + :pause::bigint > :now::bigint
                       AS goes_on) same)
 WHERE CASE WHEN c.expires_at > :now::bigint
            THEN c.reviewer = excluded.reviewer
            ELSE NOT :was_last::boolean
                 OR c.claimed_at + :longest::bigint > :now::bigint
                 OR c.expires_at + :pause::bigint <= :now::bigint END
RETURNING reviewer, claimed_at, expires_at
