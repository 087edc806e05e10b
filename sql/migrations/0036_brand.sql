-- What persons see of an organization on the widget's page.
ALTER TABLE organization ADD COLUMN brand jsonb;
COMMENT ON COLUMN organization.brand IS
    'As domain/brand.h describes it; null: the service''s own looks';
