-- Takes a verification back in the month $2 in which it was counted. When any
-- of that month cost a credit, there is now one fewer beyond the free
-- allotment, and one credit comes back.
WITH before AS (
    SELECT charged
      FROM monthly_usage
     WHERE organization_id = $1 AND month = $2::integer AND verifications > 0
       FOR UPDATE
), used AS (
    UPDATE monthly_usage u
       SET verifications = u.verifications - 1,
           charged = greatest(u.charged - 1, 0)
      FROM before
     WHERE u.organization_id = $1 AND u.month = $2::integer
), returned AS (
    UPDATE organization o
       SET credit_balance = o.credit_balance + 1
      FROM before b
     WHERE o.id = $1 AND b.charged > 0
    RETURNING o.id, o.credit_balance
)
INSERT INTO ledger_entry (organization_id, id, amount, balance, note,
                          session_id, created_at)
SELECT id, $3, 1, credit_balance, 'verification undone', $4, $5::bigint
  FROM returned
