-- One page of what waits, newest first, each with who has done anything about the
-- session's reviews: who of them reads the page, the caller finds.
@reversed list_newer
@parameters
    organization_id, now,
    lower, upper,  -- ids from the one on and before the other
    limit
SELECT
@second_review_columns
     , ARRAY(SELECT e.actor
               FROM review_entry e
              WHERE e.organization_id = r.organization_id
                AND e.session_id = r.session_id AND e.actor IS NOT NULL)
  FROM second_review r
 WHERE r.organization_id = :organization_id
   AND r.decided_at IS NULL AND r.lapsed_at IS NULL
   AND r.deadline_at > :now::bigint
   AND r.id >= :lower::text AND r.id < :upper::text
 ORDER BY r.id DESC
 LIMIT :limit::integer
