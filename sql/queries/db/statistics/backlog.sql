-- The work that waits for a watchdog, over all nodes, each kind counted up to
-- :limit: deliveries not tried yet, deliveries to be retried, submissions,
-- e-mails.
@parameters limit
SELECT (SELECT count(*)
          FROM (SELECT
                  FROM webhook_delivery
                 WHERE status = 'pending' AND attempt = 0
                 LIMIT :limit::integer) fresh),
       (SELECT count(*)
          FROM (SELECT
                  FROM webhook_delivery
                 WHERE status = 'pending' AND attempt > 0
                 LIMIT :limit::integer) repeated),
       (SELECT count(*)
          FROM (SELECT FROM analysis_job LIMIT :limit::integer) jobs),
       (SELECT count(*)
          FROM (SELECT FROM outgoing_mail LIMIT :limit::integer) mails)
