-- The same upwards from the cursor :cursor.
--
-- The sessions of the ids between :id_lower and :id_end are walked over, and
-- the candidates for the pattern :reference_pattern are looked at. When there
-- are too many of those, what is found is close to the cursor, as a rule: then
-- all sessions are walked over. A walk that ends early knows nothing of what is
-- beyond its edge.
@parameters
    organization_id, application_id, cursor, limit, status,
    client_reference_id, risk_tier, reference_pattern, id_lower, id_end, search
SELECT answer.*
  FROM (
@session_candidates
), range (is_of_id, lower, upper) AS (
    SELECT true, greatest(:cursor::text || '!' COLLATE "C", :id_lower::text),
           :id_end::text
     WHERE :id_lower::text IS NOT NULL
    UNION ALL
    SELECT false, :cursor::text || '!', 'vks_~'
      FROM many
     WHERE are_many
), walked AS MATERIALIZED (
    SELECT range.is_of_id, session.*
      FROM range
     CROSS JOIN LATERAL (
@session_walk_newer
     ) session
), horizon AS MATERIALIZED (
    SELECT coalesce(min(edge), 'vks_~') COLLATE "C" AS edge
      FROM (SELECT max(id) AS edge
              FROM walked
             GROUP BY is_of_id
            HAVING count(*) = 5001) ended
), page AS (
    SELECT DISTINCT id
      FROM (SELECT id, NULL AS application_id, status, client_reference_id,
                   risk_tier
              FROM candidate
             WHERE NOT (SELECT are_many FROM many)
               AND id > :cursor::text
               AND client_reference_id ILIKE :reference_pattern::text
            UNION ALL
            SELECT id, application_id, status, client_reference_id, risk_tier
              FROM walked
             WHERE (is_of_id
                    OR client_reference_id ILIKE :reference_pattern::text)
               AND (:application_id::text IS NULL
                    OR application_id = :application_id::text)) found
     WHERE id <= (SELECT edge FROM horizon)
@session_filter
     ORDER BY id
     LIMIT :limit::integer
)
SELECT count(*) = :limit::integer
       OR (SELECT edge = 'vks_~' FROM horizon) AS is_whole,
       coalesce(array_agg(id::text ORDER BY id), '{}') AS ids
  FROM page
       ) answer
