-- NULL leaves a setting unchanged.
@parameters
    id, name, billing_status, free_allotment, publishable_session_create,
    updated_at
UPDATE organization
   SET name = coalesce(:name, name),
       billing_status = coalesce(:billing_status, billing_status),
       free_allotment = coalesce(:free_allotment::integer, free_allotment),
       publishable_session_create = coalesce(:publishable_session_create,
                                             publishable_session_create),
       updated_at = :updated_at::bigint
 WHERE id = :id
RETURNING
@organization_columns
