-- What retention removes stays in the indexes until autovacuum comes, and whoever looks
-- for the oldest rows walks over it. By default it comes when a fifth of a table is
-- dead: 2 million of 10 million sessions, which takes half a minute to walk over.
ALTER TABLE verification_session SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE credential SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE vp_token SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE vp_token_presentation SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE shared_credential SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE analysis_job SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE evidence SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE liveness_challenge SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE mdl_request SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE handoff SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE email_otp SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE outgoing_mail SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE decision_record SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE document_sighting SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE age_failure SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE risk_assessment SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE risk_observation SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE review_claim SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE review_entry SET (autovacuum_vacuum_scale_factor = 0.01);
ALTER TABLE second_review SET (autovacuum_vacuum_scale_factor = 0.01);
