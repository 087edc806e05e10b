-- Credits are a ledger entry and the balance, in one statement.
WITH changed AS (
    UPDATE organization
       SET credit_balance = credit_balance + $3::bigint,
           updated_at = $5::bigint
     WHERE id = $1
    RETURNING id, credit_balance
)
INSERT INTO ledger_entry (organization_id, id, amount, balance, note,
                          created_at)
SELECT id, $2, $3::bigint, credit_balance, $4, $5::bigint
  FROM changed
RETURNING balance
