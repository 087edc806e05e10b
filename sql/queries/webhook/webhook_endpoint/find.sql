@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT
@webhook_endpoint_columns
  FROM webhook_endpoint w
@in_scope
