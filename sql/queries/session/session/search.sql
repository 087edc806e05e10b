-- The ids of one page of a search, newest first, and whether the page is
-- complete.
--
-- The statement walks over the sessions that match by their ids, and examines
-- the candidates that match by their client reference ids. If there are too
-- many candidates, matches are usually close to the cursor: then it walks over
-- all sessions. A walk that ends early knows nothing beyond its edge.
@reversed search_newer
@parameters
    organization_id, application_id,
    lower, upper,       -- lower <= id < upper
    limit,
    status, client_reference_id, risk_tier, workflow_id,  -- NULL: any
    reference_pattern,  -- of client reference ids, for ILIKE
    id_lower, id_end,   -- the matching ids; NULL: none
    search              -- the text
SELECT answer.*
  FROM (
@session_candidates
), range (is_of_id, lower, upper) AS (
    SELECT true, greatest(:lower::text COLLATE "C", :id_lower::text),
           least(:upper::text COLLATE "C", :id_end::text)
     WHERE :id_lower::text IS NOT NULL
    UNION ALL
    SELECT false, :lower::text, :upper::text
      FROM many
     WHERE are_many
), walked AS MATERIALIZED (
    SELECT range.is_of_id, session.*
      FROM range
     CROSS JOIN LATERAL (
@session_walk
     ) session
), horizon AS MATERIALIZED (
@only search       SELECT max(edge) COLLATE "C" AS edge
@only search         FROM (SELECT min(id) AS edge
@only search_newer SELECT min(edge) COLLATE "C" AS edge
@only search_newer   FROM (SELECT max(id) AS edge
              FROM walked
             GROUP BY is_of_id
            HAVING count(*) = 5001) ended
), page AS (
    SELECT DISTINCT id
      FROM (SELECT id, NULL AS application_id, status, client_reference_id,
                   risk_tier, workflow_id
              FROM candidate
             WHERE NOT (SELECT are_many FROM many)
               AND id >= :lower::text AND id < :upper::text
               AND client_reference_id ILIKE :reference_pattern::text
            UNION ALL
            SELECT id, application_id, status, client_reference_id, risk_tier,
                   workflow_id
              FROM walked
             WHERE (is_of_id
                    OR client_reference_id ILIKE :reference_pattern::text)
               AND (:application_id::text IS NULL
                    OR application_id = :application_id::text)) found
@only search       WHERE id >= (SELECT coalesce(edge, '') FROM horizon)
@only search_newer WHERE id <= (SELECT coalesce(edge, 'vks_~') FROM horizon)
@session_filter
     ORDER BY id DESC
     LIMIT :limit::integer
)
SELECT count(*) = :limit::integer
       OR (SELECT edge IS NULL FROM horizon) AS is_whole,
       coalesce(array_agg(id::text ORDER BY id DESC), '{}') AS ids
  FROM page
       ) answer
