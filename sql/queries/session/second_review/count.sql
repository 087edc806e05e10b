-- How many second reviews are open, lapsed, and decided differently from the
-- first and not settled.
@parameters organization_id
SELECT count(*) FILTER (WHERE decided_at IS NULL AND lapsed_at IS NULL),
       count(*) FILTER (WHERE lapsed_at IS NOT NULL),
       count(*) FILTER (WHERE second_decision <> first_decision
                              AND settled_at IS NULL)
  FROM second_review
 WHERE organization_id = :organization_id
