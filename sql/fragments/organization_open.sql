-- Whether the organization admits persons and wallets: it is not disabled.
       EXISTS (SELECT FROM organization o
                WHERE o.id = :organization_id AND o.disabled_at IS NULL)
