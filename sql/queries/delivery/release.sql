-- Gives back what node $1 had leased until after $2 and not after $3; $4 is
-- now.
UPDATE webhook_delivery
   SET leased_by = NULL, next_attempt_at = $4::bigint
 WHERE status = 'pending' AND (attempt > 0 OR leased_by IS NOT NULL)
   AND next_attempt_at > $2::bigint AND next_attempt_at <= $3::bigint
   AND leased_by = $1::text
