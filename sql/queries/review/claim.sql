-- A reviewer takes a held session, or keeps it for longer. No row when another
-- has it. The session is locked.
@parameters organization_id, session_id, reviewer, now, expires_at
INSERT INTO review_claim AS c (organization_id, session_id, reviewer,
                               claimed_at, expires_at)
VALUES (:organization_id::text, :session_id::text, :reviewer::text,
        :now::bigint, :expires_at::bigint)
ON CONFLICT (organization_id, session_id) DO UPDATE
   SET reviewer = excluded.reviewer,
       claimed_at = CASE WHEN c.reviewer = excluded.reviewer
                          AND c.expires_at > :now::bigint
                         THEN c.claimed_at ELSE excluded.claimed_at END,
       expires_at = excluded.expires_at
 WHERE c.reviewer = excluded.reviewer OR c.expires_at <= :now::bigint
RETURNING reviewer, claimed_at, expires_at
