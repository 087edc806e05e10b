-- Appends an entry, with the counters of its month and the resulting balance,
-- as decided by domain/account/billing.h. The organization is locked.
@parameters
    organization_id, id, kind, verifications,
    free, charged, sandbox,  -- changes of the month's counters
    amount,                  -- of credits
    balance,                 -- of credits, after the entry
    month,                   -- NULL: none
    note,
    session_id,              -- NULL: an operator's entry
    created_at
WITH account AS (
    UPDATE organization
       SET credit_balance = :balance::bigint,
           updated_at = CASE WHEN :session_id::text IS NULL
                             THEN :created_at::bigint ELSE updated_at END
     WHERE id = :organization_id::text AND :amount::bigint <> 0
), used AS (
    INSERT INTO monthly_usage AS u
           (organization_id, month, free, charged, sandbox)
    SELECT :organization_id::text, :month::integer,
           greatest(:free::integer, 0), greatest(:charged::integer, 0),
           greatest(:sandbox::integer, 0)
     WHERE :month::integer IS NOT NULL
    ON CONFLICT (organization_id, month) DO UPDATE
       SET free = u.free + :free::integer,
           charged = u.charged + :charged::integer,
           sandbox = u.sandbox + :sandbox::integer
)
INSERT INTO ledger_entry (organization_id, position, id, kind, verifications,
                          month, amount, balance, note, session_id, created_at)
SELECT :organization_id::text,
       1 + coalesce((SELECT max(position)
                       FROM ledger_entry
                      WHERE organization_id = :organization_id::text), 0),
       :id::text, :kind::text, :verifications::integer, :month::integer,
       :amount::bigint, :balance::bigint, :note::text, :session_id::text,
       :created_at::bigint
