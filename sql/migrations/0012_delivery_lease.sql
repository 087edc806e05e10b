-- The end of a delivery's lease in a column of its own, and no lease in any
-- index: claiming then rewrites a row within its page and touches no index,
-- which took half of what a delivery cost. A page needs room for that. Claims
-- pass over what is leased; there is never more of it than is under way.
ALTER TABLE webhook_delivery ADD COLUMN leased_until bigint;
ALTER TABLE webhook_delivery SET (fillfactor = 50);
UPDATE webhook_delivery SET leased_by = NULL
 WHERE status = 'pending' AND leased_by IS NOT NULL;

DROP INDEX webhook_delivery_new;
CREATE INDEX webhook_delivery_new
    ON webhook_delivery (webhook_endpoint_id, id)
    WHERE status = 'pending' AND attempt = 0;
-- In order of endpoints: those that are full are passed over as a whole.
DROP INDEX webhook_delivery_due, webhook_delivery_repeated;
CREATE INDEX webhook_delivery_due
    ON webhook_delivery (webhook_endpoint_id, next_attempt_at, id)
    WHERE status = 'pending' AND attempt > 0;
