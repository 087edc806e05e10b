-- Takes a credit for the verification of session $4 in month $2: usage, balance
-- and ledger entry $3 in one statement. The balance may fall below 0; what that
-- means is the caller's decision.
WITH used AS (
    UPDATE monthly_usage
       SET charged = charged + 1
     WHERE organization_id = $1 AND month = $2::integer
), taken AS (
    UPDATE organization
       SET credit_balance = credit_balance - 1
     WHERE id = $1
    RETURNING id, credit_balance
)
INSERT INTO ledger_entry (organization_id, id, amount, balance, note,
                          session_id, created_at)
SELECT id, $3, -1, credit_balance, 'verification', $4, $5::bigint
  FROM taken
RETURNING balance
