-- Whether delivery d may be claimed: it is not leased, its lease has ended, it
-- was left by earlier processes of the node, or it was leased until :lost_lease
-- by a claim whose result was lost.
        AND (d.leased_by IS NULL OR d.leased_until <= :now::bigint
             OR (d.leased_by <> :claimer::text
                 AND starts_with(d.leased_by, :node::text))
             OR (d.leased_by = :claimer::text
                 AND d.leased_until = :lost_lease::bigint))
