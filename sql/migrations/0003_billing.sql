-- How many of a month's verifications were beyond the free allotment and took
-- a credit each: what is undone later gives back a credit only then.
ALTER TABLE monthly_usage ADD COLUMN charged integer NOT NULL DEFAULT 0;
