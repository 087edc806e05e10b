-- One more asking of application $2 in hour $3, of the day that began with hour
-- $4, unless it asked $5 times in the hour or $6 times in the day already. Only
-- of an application that takes part, whoever is asked for.
--
-- Those who ask at once meet at the row of the hour, so that none is counted
-- too little; who comes after the last does not wait for it. The commit does not
-- wait for the disk: a creation that follows brings it there.
WITH taking_part AS (
    SELECT
      FROM trust_reuse_settings
     WHERE organization_id = $1 AND application_id = $2 AND enabled
), so_far AS (
    SELECT coalesce(sum(count) FILTER (WHERE hour = $3::bigint), 0) AS now,
           coalesce(sum(count) FILTER (WHERE hour < $3::bigint), 0) AS before
      FROM trust_reuse_tally
     WHERE organization_id = $1 AND application_id = $2 AND kind = 'asked'
       AND hour BETWEEN $4::bigint AND $3::bigint
), counted AS (
    INSERT INTO trust_reuse_tally AS t
           (organization_id, application_id, kind, hour, count)
    SELECT $1, $2, 'asked', $3::bigint, 1
      FROM taking_part, so_far
     WHERE so_far.now < $5::integer
       AND so_far.now + so_far.before < $6::integer
       AND set_config('synchronous_commit', 'off', true) = 'off'
    ON CONFLICT (organization_id, application_id, kind, hour) DO UPDATE
       SET count = t.count + 1
     WHERE t.count < $5::integer
       AND t.count + (SELECT before FROM so_far) < $6::integer
    RETURNING count
)
SELECT EXISTS (SELECT FROM taking_part) AND NOT EXISTS (SELECT FROM counted),
       now + before >= $6::integer
  FROM so_far
