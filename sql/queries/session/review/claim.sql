-- A reviewer claims a held session, or extends the claim. The time of earlier
-- claims, released or expired, counts until a pause without other claims has
-- passed: nobody holds a session for longer than the longest claim before
-- others had a chance. No row if another reviewer has it, or this one had it
-- for too long. The session is locked.
@parameters
    organization_id, session_id, reviewer,
    was_last,  -- reviewer may be the last holder (domain/account/operator_key.h)
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
