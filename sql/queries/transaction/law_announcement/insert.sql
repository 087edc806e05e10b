-- One row, unless the same was announced before.
@parameters organization_id, workflow_id, notice, use_case, jurisdiction, day, created_at
INSERT INTO law_announcement (organization_id, workflow_id, notice, use_case,
                              jurisdiction, day, created_at)
VALUES (:organization_id, :workflow_id, :notice, :use_case, :jurisdiction,
        :day, :created_at::bigint)
ON CONFLICT DO NOTHING
