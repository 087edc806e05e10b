@parameters organization_id, id, application_id
SELECT body
  FROM risk_assessment
@in_scope
