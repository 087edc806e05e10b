-- An equal share of $3 deliveries for each `endpoint` that has room: $6, or its
-- own one among $4 and $5; and no less than 8, because some may have nothing
-- that is not leased. In turn, from the one behind $7.
share AS MATERIALIZED (
  SELECT e.id, least(coalesce(b.room, $6::integer),
                     greatest(8, $3::integer / count(*) OVER ())) AS room
    FROM endpoint e
    LEFT JOIN unnest($4::text[], $5::integer[]) AS b (id, room) ON b.id = e.id
   WHERE e.id IS NOT NULL
     AND coalesce(b.room, $6::integer) > 0
   ORDER BY e.id COLLATE "C" <= $7::text, e.id COLLATE "C"
),
