-- An equal share of :limit deliveries for each `endpoint` that has room: its
-- own one, or the default; and no less than 8, because some may have nothing
-- that is not leased. In turn, from the one behind :after_endpoint.
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
