-- Document signers that an operator pins for a sandbox organization, also with
-- certificates that no authority may issue. They apply to no live organization.
ALTER TABLE trust_list DROP CONSTRAINT trust_list_kind_check;
ALTER TABLE trust_list ADD CONSTRAINT trust_list_kind_check
    CHECK (kind IN ('iaca', 'vical', 'etsi', 'sandbox-signer', 'csca',
                    'csca-master-list'));
