-- One page of the unsettled disagreements, newest first.
@reversed list_disagreed_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@second_review_columns
  FROM second_review r
 WHERE r.organization_id = :organization_id
   AND r.second_decision <> r.first_decision AND r.settled_at IS NULL
   AND coalesce(r.shown_id, r.id) >= :lower::text
   AND coalesce(r.shown_id, r.id) < :upper::text
 ORDER BY coalesce(r.shown_id, r.id) DESC
 LIMIT :limit::integer
