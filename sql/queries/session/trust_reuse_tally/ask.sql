-- Counts one more lookup of an application, unless it has reached its limit.
-- Only applications that take part are counted, whichever person is looked up.
--
-- Concurrent lookups meet at the row of the hour, so that none is missed; those
-- beyond the limit do not wait for it. The commit does not wait for the disk:
-- the creation that follows flushes it.
@parameters
    organization_id, application_id,
    hour,       -- hours since 1970
    day_begin,  -- the first hour of the same day
    hourly_limit, daily_limit
WITH taking_part AS (
    SELECT
      FROM trust_reuse_settings
     WHERE organization_id = :organization_id
       AND application_id = :application_id AND enabled
), so_far AS (
    SELECT coalesce(sum(count) FILTER (WHERE hour = :hour::bigint), 0) AS now,
           coalesce(sum(count) FILTER (WHERE hour < :hour::bigint), 0) AS before
      FROM trust_reuse_tally
     WHERE organization_id = :organization_id
       AND application_id = :application_id AND kind = 'asked'
       AND hour BETWEEN :day_begin::bigint AND :hour::bigint
), counted AS (
    INSERT INTO trust_reuse_tally AS t
           (organization_id, application_id, kind, hour, count)
    SELECT :organization_id, :application_id, 'asked', :hour::bigint, 1
      FROM taking_part, so_far
     WHERE so_far.now < :hourly_limit::integer
       AND so_far.now + so_far.before < :daily_limit::integer
       AND set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT (organization_id, application_id, kind, hour) DO UPDATE
       SET count = t.count + 1
     WHERE t.count < :hourly_limit::integer
       AND t.count + (SELECT before FROM so_far) < :daily_limit::integer
    RETURNING count
)
SELECT EXISTS (SELECT FROM taking_part) AND NOT EXISTS (SELECT FROM counted),
       now + before >= :daily_limit::integer
  FROM so_far
