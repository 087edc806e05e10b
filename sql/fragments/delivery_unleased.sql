-- Nobody works on delivery d: a claim at $8 by $2, a process of node $9, may take
-- what is not leased, what a lease has ended for, what earlier processes of the
-- node left, and what was leased until $10 by a claim whose result got lost.
        AND (d.leased_by IS NULL OR d.leased_until <= $8::bigint
             OR (d.leased_by <> $2::text AND starts_with(d.leased_by, $9::text))
             OR (d.leased_by = $2::text AND d.leased_until = $10::bigint))
