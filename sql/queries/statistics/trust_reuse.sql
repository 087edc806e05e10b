-- How often persons of other organizations were asked for after hour $1, how
-- often one was met, and how often one application asked in vain at most.
SELECT coalesce(sum(asked), 0), coalesce(sum(met), 0),
       coalesce(max(asked - met), 0)
  FROM (SELECT coalesce(sum(count) FILTER (WHERE kind = 'asked'), 0) AS asked,
               coalesce(sum(count) FILTER (WHERE kind = 'met'), 0) AS met
          FROM trust_reuse_tally
         WHERE hour > $1::bigint
         GROUP BY organization_id, application_id) applications
