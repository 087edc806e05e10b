-- One page, newest first: what REVIEWER may decide a second time at NOW, or what
-- two decided differently and nobody has settled. Nobody decides a second time
-- who has done anything about the session's reviews.
@reversed list_newer
@parameters
    organization_id, reviewer, now,
    disagreed,     -- true: what two decided differently
    lower, upper,  -- ids from the one on and before the other
    limit
SELECT
@second_review_columns
  FROM second_review r
 WHERE r.organization_id = :organization_id
   AND CASE WHEN :disagreed::boolean
            THEN r.second_decision <> r.first_decision AND r.settled_at IS NULL
            ELSE r.decided_at IS NULL AND r.lapsed_at IS NULL
                 AND r.deadline_at > :now::bigint
                 AND NOT EXISTS (
                     SELECT FROM review_entry e
                      WHERE e.organization_id = :organization_id
                        AND e.session_id = r.session_id
                        AND lower(replace(e.actor, ' ', ''))
                            = lower(replace(:reviewer::text, ' ', ''))) END
   AND r.id >= :lower::text AND r.id < :upper::text
 ORDER BY r.id DESC
 LIMIT :limit::integer
