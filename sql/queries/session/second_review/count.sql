-- The number of second reviews that are open, that lapsed, and that differ from
-- the first decision and are not settled.
@parameters organization_id
SELECT count(*) FILTER (WHERE decided_at IS NULL AND lapsed_at IS NULL),
       count(*) FILTER (WHERE lapsed_at IS NOT NULL),
       count(*) FILTER (WHERE second_decision <> first_decision
                              AND settled_at IS NULL)
  FROM second_review
 WHERE organization_id = :organization_id
