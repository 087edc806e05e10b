-- Organizations whose reviews are due soon: how many of the next 10,000, and
-- the earliest deadline.
@parameters
    organization_ids,  -- NULL: all
    from_time, until,  -- the ends
    limit
SELECT organization_id, count(*), min(at)
  FROM (SELECT organization_id, review_deadline_at AS at
          FROM verification_session
         WHERE status = 'under_review'
           AND review_deadline_at >= :from_time::bigint
           AND review_deadline_at < :until::bigint
           AND (:organization_ids::text[] IS NULL
                OR organization_id = ANY (:organization_ids::text[]))
         ORDER BY review_deadline_at
         LIMIT 10000) soon
 GROUP BY organization_id
 ORDER BY min(at), organization_id
 LIMIT :limit::integer
