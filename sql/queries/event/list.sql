-- One page of at most $4, newest first. Planned for each call, so that the
-- filters given choose the index.
SELECT id, body
  FROM event
@event_filter
 ORDER BY id DESC
 LIMIT $4::integer
