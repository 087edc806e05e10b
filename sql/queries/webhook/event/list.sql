-- One page, newest first. Planned for each call, so that the given filters
-- choose the index.
@reversed list_newer
@parameters
    organization_id,
    lower, upper,  -- lower <= id < upper
    limit,
    type, object_id, application_id  -- NULL: any
SELECT id, body
  FROM event
@event_filter
 ORDER BY id DESC
 LIMIT :limit::integer
