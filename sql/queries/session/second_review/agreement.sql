-- How often each second decision followed each first one, and its reason.
@parameters organization_id
SELECT first_decision, first_reason, second_decision, count(*)
  FROM second_review
 WHERE organization_id = :organization_id AND second_decision IS NOT NULL
 GROUP BY first_decision, first_reason, second_decision
 ORDER BY first_decision, first_reason, second_decision
