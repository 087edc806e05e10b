@parameters
    organization_id, id,
    application_id  -- of the key; NULL: all
SELECT body
  FROM event
@in_scope
