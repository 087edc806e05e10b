-- One page of the open ones, newest first, each with the persons who took part
-- in the session's reviews; the caller checks whether its reader is one of
-- them.
@reversed list_newer
@parameters
    organization_id, now,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@second_review_columns
     ,
@second_review_involved
  FROM second_review r
 CROSS JOIN LATERAL (SELECT r.session_id) about
 WHERE r.organization_id = :organization_id
   AND r.decided_at IS NULL AND r.lapsed_at IS NULL
   AND r.deadline_at > :now::bigint
   AND coalesce(r.shown_id, r.id) >= :lower::text
   AND coalesce(r.shown_id, r.id) < :upper::text
 ORDER BY coalesce(r.shown_id, r.id) DESC
 LIMIT :limit::integer
