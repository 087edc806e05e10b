-- What waits for a watchdog, of all nodes, each counted up to $1: deliveries
-- not tried yet, deliveries to be repeated, submissions, e-mails.
SELECT (SELECT count(*)
          FROM (SELECT
                  FROM webhook_delivery
                 WHERE status = 'pending' AND attempt = 0
                 LIMIT $1::integer) fresh),
       (SELECT count(*)
          FROM (SELECT
                  FROM webhook_delivery
                 WHERE status = 'pending' AND attempt > 0
                 LIMIT $1::integer) repeated),
       (SELECT count(*) FROM (SELECT FROM analysis_job LIMIT $1::integer) jobs),
       (SELECT count(*) FROM (SELECT FROM outgoing_mail LIMIT $1::integer) mails)
