-- A page of the deliveries to some endpoints, of some types in some states,
-- newest first. Each combination is a range of one index, of which at most a
-- page is read.
@reversed list_all_of_kind_newer
@parameters
    organization_id,
    endpoints, event_types, statuses,
    lower, upper,  -- lower <= id < upper
    limit
SELECT
@delivery_columns
@delivery_record
 WHERE d.organization_id = :organization_id
   AND d.id = ANY (ARRAY(
     SELECT r.id
       FROM unnest(:endpoints::text[]) endpoint (id)
      CROSS JOIN unnest(:event_types::text[]) kind (event_type)
      CROSS JOIN unnest(:statuses::text[]) state (status)
      CROSS JOIN LATERAL (
        SELECT k.id
          FROM webhook_delivery k
         WHERE k.organization_id = :organization_id
           AND k.webhook_endpoint_id = endpoint.id
           AND k.event_type = kind.event_type AND k.status = state.status
           AND k.id >= :lower::text AND k.id < :upper::text
         ORDER BY k.id DESC
         LIMIT :limit::integer) r
      ORDER BY r.id DESC
      LIMIT :limit::integer))
 ORDER BY d.id DESC
