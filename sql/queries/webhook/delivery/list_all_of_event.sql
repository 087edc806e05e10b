-- A page of the deliveries of one event to some endpoints, in some states,
-- newest first. Their ids begin with the time of the event (delivery_id.sql),
-- so they are neighbours in the index.
@reversed list_all_of_event_newer
@parameters
    organization_id,
    endpoints, event_types, statuses,
    lower, upper,  -- lower <= id < upper
    limit,
    event_id
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = :organization_id
   AND d.id >= greatest(:lower::text,
                        'whd_' || substr(:event_id::text, 5, 10) COLLATE "C")
   AND d.id < least(:upper::text,
                    'whd_' || substr(:event_id::text, 5, 10) || '~' COLLATE "C")
   AND d.event_id = :event_id
   AND d.webhook_endpoint_id = ANY (:endpoints::text[])
   AND d.event_type = ANY (:event_types::text[])
   AND d.status = ANY (:statuses::text[])
 ORDER BY d.id DESC
 LIMIT :limit::integer
