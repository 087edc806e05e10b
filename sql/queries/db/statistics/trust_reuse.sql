-- How often persons of other organizations were asked for after an hour, how
-- often one was met, and how often one application asked in vain at most.
@parameters after_hour  -- hours since 1970
SELECT coalesce(sum(asked), 0), coalesce(sum(met), 0),
       coalesce(max(asked - met), 0)
  FROM (SELECT coalesce(sum(count) FILTER (WHERE kind = 'asked'), 0) AS asked,
               coalesce(sum(count) FILTER (WHERE kind = 'met'), 0) AS met
          FROM trust_reuse_tally
         WHERE hour > :after_hour::bigint
         GROUP BY organization_id, application_id) applications
