-- One page of what two decided differently and nobody has settled, newest first.
@reversed list_disagreed_newer
@parameters
    organization_id,
    lower, upper,  -- ids from the one on and before the other
    limit
SELECT
@second_review_columns
  FROM second_review r
 WHERE r.organization_id = :organization_id
   AND r.second_decision <> r.first_decision AND r.settled_at IS NULL
   AND r.id >= :lower::text AND r.id < :upper::text
 ORDER BY r.id DESC
 LIMIT :limit::integer
