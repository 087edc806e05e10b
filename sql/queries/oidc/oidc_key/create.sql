@parameters id, algorithm, sealed_key, public_key, now, signs_from
INSERT INTO oidc_key (id, algorithm, sealed_key, public_key, created_at,
                      signs_from)
VALUES (:id, :algorithm, :sealed_key::bytea, :public_key, :now::bigint,
        :signs_from::bigint)
