-- One page of at most :limit, newest first. Planned for each call, so that the
-- filters given choose the index.
@parameters
    organization_id, lower, upper, limit, type, object_id, application_id
SELECT id, body
  FROM event
@event_filter
 ORDER BY id DESC
 LIMIT :limit::integer
