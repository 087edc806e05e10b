-- Whether the organization pays, the size of its free allotment, and the usage
-- of its months.
@parameters organization_id
SELECT o.sandbox, o.free_allotment,
       (SELECT json_object_agg(month, json_build_array(free, charged))
          FROM monthly_usage u
         WHERE u.organization_id = o.id)
  FROM organization o
 WHERE o.id = :organization_id
