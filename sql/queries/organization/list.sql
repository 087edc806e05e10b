-- For the operator: all there are, oldest first, from the cursor $1 or NULL.
SELECT id, name, sandbox, billing_status, free_allotment, credit_balance,
       publishable_session_create, created_at, updated_at
  FROM organization
 WHERE id > coalesce($1::text, '')
 ORDER BY id
 LIMIT $2::integer
