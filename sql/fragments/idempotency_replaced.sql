-- An expired record is replaced; if there is a valid one, there is no row.
    ON CONFLICT (organization_id, application_id, route, key) DO UPDATE
       SET request_digest = excluded.request_digest,
           status = excluded.status,
           sealed_response = excluded.sealed_response,
           created_at = excluded.created_at,
           session_id = excluded.session_id
     WHERE kept.created_at <= :outdated_until::bigint
