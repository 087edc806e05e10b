-- Like list, upwards from :lower.
@parameters
    organization_id, lower, upper, limit, type, object_id, application_id
SELECT id, body
  FROM event
@event_filter
 ORDER BY id
 LIMIT :limit::integer
