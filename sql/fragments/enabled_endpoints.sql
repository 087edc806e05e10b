-- The organization's enabled endpoints.
    SELECT id, application_id, enabled_events
      FROM webhook_endpoint
     WHERE organization_id = :organization_id AND status = 'enabled'
