-- Like list, upwards from $2.
SELECT id, body
  FROM event
@event_filter
 ORDER BY id
 LIMIT $4::integer
