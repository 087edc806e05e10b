-- The number of lookups of other organizations' persons after an hour, the
-- number of matches, and the most unsuccessful lookups of one application.
@parameters after_hour  -- hours since 1970
SELECT coalesce(sum(asked), 0), coalesce(sum(met), 0),
       coalesce(max(asked - met), 0)
  FROM (SELECT coalesce(sum(count) FILTER (WHERE kind = 'asked'), 0) AS asked,
               coalesce(sum(count) FILTER (WHERE kind = 'met'), 0) AS met
          FROM trust_reuse_tally
         WHERE hour > :after_hour::bigint
         GROUP BY organization_id, application_id) applications
