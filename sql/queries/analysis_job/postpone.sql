-- Tries the job again at $6, if the lease until $4 is still node $5's. With $7
-- the attempt does not count.
UPDATE analysis_job
   SET due_at = $6::bigint, leased_by = NULL,
       attempts = attempts - CASE WHEN $7::boolean THEN 1 ELSE 0 END
 WHERE organization_id = $1 AND session_id = $2 AND id = $3
   AND due_at = $4::bigint AND leased_by = $5::text
