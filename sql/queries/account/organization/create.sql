@parameters id, name, sandbox, free_allotment, created_at
INSERT INTO organization (id, name, sandbox, free_allotment, created_at,
                          updated_at)
VALUES (:id, :name, :sandbox::boolean, :free_allotment::integer,
        :created_at::bigint, :created_at::bigint)
RETURNING
@organization_columns
