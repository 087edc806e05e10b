-- An equal share of :limit deliveries for each `endpoint` that has room, its
-- own or the default; at least 8, because some endpoints may have nothing
-- unleased. In rotation, starting after :after_endpoint.
share AS MATERIALIZED (
  SELECT e.id, least(coalesce(b.room, :default_room::integer),
                     greatest(8, :limit::integer / count(*) OVER ())) AS room
    FROM endpoint e
    LEFT JOIN unnest(:room_endpoints::text[], :rooms::integer[]) AS b (id, room)
      ON b.id = e.id
   WHERE e.id IS NOT NULL
     AND coalesce(b.room, :default_room::integer) > 0
   ORDER BY e.id COLLATE "C" <= :after_endpoint::text, e.id COLLATE "C"
),
