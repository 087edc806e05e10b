-- For the operator: all there are, oldest first.
@parameters
    cursor,  -- only later ones; NULL: all
    limit
SELECT id, name, sandbox, billing_status, free_allotment, credit_balance,
       publishable_session_create, created_at, updated_at
  FROM organization
 WHERE id > coalesce(:cursor::text, '')
 ORDER BY id
 LIMIT :limit::integer
