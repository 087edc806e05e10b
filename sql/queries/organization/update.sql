-- NULL leaves a setting as it is.
UPDATE organization
   SET name = coalesce($2, name),
       billing_status = coalesce($3, billing_status),
       free_allotment = coalesce($4::integer, free_allotment),
       publishable_session_create = coalesce($5, publishable_session_create),
       updated_at = $6::bigint
 WHERE id = $1
RETURNING
@organization_columns
