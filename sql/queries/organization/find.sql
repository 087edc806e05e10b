SELECT id, name, sandbox, billing_status, free_allotment, credit_balance,
       publishable_session_create, created_at, updated_at
  FROM organization
 WHERE id = $1
