-- One step of the recovery that has waited longest: its next :batch events.
-- Failed deliveries are queued again; an event that the endpoint subscribes to
-- and that has no delivery gets one, under its original id. Deliveries that are
-- pending or arrived are unchanged. Several nodes may run steps: each takes a
-- job that no other has, and work and progress are one statement.
--
-- A job is on hold, without a step, while deliveries of its endpoint that are
-- newer than its position are unclaimed: the deliveries that it queues have
-- older ids and would go first. It is also on hold while more than :waiting
-- deliveries of the endpoint were not tried yet, or more than :batch are
-- pending at an endpoint that fails. New deliveries wait behind at most that
-- many. A job on hold is examined again at :next_look, since each look reads as
-- many rows; until then it blocks nothing.
@parameters now, batch, waiting,
    most,      -- deliveries that one recovery queues
    next_look
WITH job AS MATERIALIZED (
  SELECT r.organization_id, r.id, r.webhook_endpoint_id, r.position,
         r.last_position,
         greatest(0, :most::bigint - r.deliveries_requeued
                     - r.deliveries_created) AS room
    FROM webhook_recovery r
   WHERE r.status = 'running'
     AND r.updated_at <= :now::bigint
   ORDER BY r.updated_at
   LIMIT 1
     FOR UPDATE OF r SKIP LOCKED
), endpoint AS MATERIALIZED (
  SELECT w.organization_id, w.id, w.application_id, w.enabled_events,
         w.failing_since
    FROM job j
    JOIN webhook_endpoint w
      ON w.organization_id = j.organization_id AND w.id = j.webhook_endpoint_id
   WHERE w.status = 'enabled'
), held AS MATERIALIZED (
  SELECT
    FROM job j
   CROSS JOIN endpoint w
   WHERE EXISTS (
           SELECT
             FROM webhook_delivery d
            WHERE d.webhook_endpoint_id = w.id
              AND d.id > 'whd_' || substr(j.position, 5, 10) || '~'
              AND d.status = 'pending' AND d.attempt = 0
              AND d.leased_by IS NULL)
      OR EXISTS (
           SELECT
             FROM webhook_delivery d
            WHERE d.webhook_endpoint_id = w.id
              AND d.status = 'pending' AND d.attempt = 0
           OFFSET :waiting::integer)
      OR (w.failing_since IS NOT NULL
          AND EXISTS (
            (SELECT
               FROM webhook_delivery d
              WHERE d.webhook_endpoint_id = w.id
                AND d.status = 'pending' AND d.attempt = 0)
             UNION ALL
            (SELECT
               FROM webhook_delivery d
              WHERE d.webhook_endpoint_id = w.id
                AND d.status = 'pending' AND d.attempt > 0)
            OFFSET :batch::bigint))
), batch AS MATERIALIZED (
  SELECT e.id, e.type, e.application_id, e.webhook_endpoint_id, e.created_at,
@delivery_id
         AS delivery_id
    FROM (SELECT j.organization_id, e.id, j.position, j.last_position, j.room
            FROM job j
           CROSS JOIN endpoint e
           WHERE NOT EXISTS (SELECT FROM held)) w
   CROSS JOIN LATERAL (
     SELECT id, type, application_id, webhook_endpoint_id, created_at
       FROM event
      WHERE organization_id = w.organization_id
        AND id > w.position AND id < w.last_position
      ORDER BY id
      LIMIT least(:batch::bigint, w.room)) e
), requeued AS (
  UPDATE webhook_delivery d
     SET
@delivery_renewed
    FROM endpoint w
   WHERE d.organization_id = w.organization_id
     AND d.id = ANY (ARRAY(SELECT delivery_id FROM batch))
     AND d.webhook_endpoint_id = w.id
     AND d.status = 'failed'
  RETURNING d.id
), created AS (
  INSERT INTO webhook_delivery (organization_id, id, webhook_endpoint_id,
                                event_id, event_type, next_attempt_at,
                                created_at, updated_at)
  SELECT w.organization_id, e.delivery_id, w.id, e.id, e.type, :now::bigint,
         e.created_at, :now::bigint
    FROM batch e
   CROSS JOIN endpoint w
   WHERE
@event_subscribed
     AND (e.webhook_endpoint_id IS NULL OR e.webhook_endpoint_id = w.id)
  ON CONFLICT (organization_id, id) DO NOTHING
  RETURNING id
), step AS (
  SELECT (SELECT count(*) FROM batch) AS examined,
         (SELECT max(id COLLATE "C") FROM batch) AS position,
         (SELECT max(created_at) FROM batch) AS examined_until,
         (SELECT count(*) FROM requeued) AS requeued,
         (SELECT count(*) FROM created) AS created
), progress AS (
  SELECT s.*, CASE WHEN NOT EXISTS (SELECT FROM endpoint) THEN 'cancelled'
                   WHEN EXISTS (SELECT FROM held) THEN 'running'
                   WHEN s.examined < least(:batch::bigint, j.room)
                   THEN 'finished'
                   WHEN s.requeued + s.created >= j.room THEN 'limited'
                   ELSE 'running' END AS status
    FROM job j
   CROSS JOIN step s
)
UPDATE webhook_recovery r
   SET status = p.status,
       position = coalesce(p.position, r.position),
       examined_until = coalesce(p.examined_until, r.examined_until),
       events_examined = r.events_examined + p.examined,
       deliveries_requeued = r.deliveries_requeued + p.requeued,
       deliveries_created = r.deliveries_created + p.created,
       updated_at = CASE WHEN EXISTS (SELECT FROM held)
                         THEN :next_look::bigint ELSE :now::bigint END,
       finished_at = CASE WHEN p.status <> 'running' THEN :now::bigint END
  FROM job j
 CROSS JOIN progress p
 WHERE r.organization_id = j.organization_id AND r.id = j.id
RETURNING p.requeued + p.created
