-- The values of hot columns are checked by domains. PostgreSQL keeps the parsed
-- constraints of a domain, and reads those of a table anew in each statement
-- that writes to it: they took a fifth of the creation of a session. The
-- columns change their type before the domains get their constraints, so that
-- no table is written anew.

CREATE DOMAIN session_status AS text;
CREATE DOMAIN session_type AS text;
CREATE DOMAIN risk_tier AS text;
CREATE DOMAIN delivery_status AS text;

ALTER TABLE verification_session
    DROP CONSTRAINT verification_session_status_check,
    DROP CONSTRAINT verification_session_type_check,
    DROP CONSTRAINT verification_session_risk_tier_check,
    ALTER status TYPE session_status,
    ALTER type TYPE session_type,
    ALTER risk_tier TYPE risk_tier;
ALTER TABLE webhook_delivery
    DROP CONSTRAINT webhook_delivery_status_check,
    ALTER status TYPE delivery_status;

ALTER DOMAIN session_status ADD CHECK (
    VALUE IN ('created', 'pending', 'processing', 'requires_input',
              'under_review', 'verified', 'failed', 'cancelled', 'expired'));
ALTER DOMAIN session_type ADD CHECK (VALUE IN ('identity', 'age', 'student'));
ALTER DOMAIN risk_tier ADD CHECK (VALUE IN ('clear', 'review', 'block', 'bot'));
ALTER DOMAIN delivery_status ADD CHECK (
    VALUE IN ('pending', 'delivered', 'failed'));
