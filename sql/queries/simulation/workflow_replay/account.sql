-- Whether the organization pays, for how many verifications it does not, and
-- what its months took.
@parameters organization_id
SELECT o.sandbox, o.free_allotment,
       (SELECT json_object_agg(month, json_build_array(free, charged))
          FROM monthly_usage u
         WHERE u.organization_id = o.id)
  FROM organization o
 WHERE o.id = :organization_id
