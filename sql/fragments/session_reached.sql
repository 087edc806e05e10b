-- The endpoints that events of this session reach: its organization's and its
-- application's.
    SELECT id, enabled_events
      FROM webhook_endpoint
     WHERE organization_id = :organization_id AND status = 'enabled'
       AND (application_id IS NULL OR application_id = :application_id::text)
