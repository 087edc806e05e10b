-- Nobody works on delivery d: a claim may take what is not leased, what a lease
-- has ended for, what earlier processes of the node left, and what was leased
-- until :lost_lease by a claim whose result got lost.
        AND (d.leased_by IS NULL OR d.leased_until <= :now::bigint
             OR (d.leased_by <> :claimer::text
                 AND starts_with(d.leased_by, :node::text))
             OR (d.leased_by = :claimer::text
                 AND d.leased_until = :lost_lease::bigint))
