-- For statements with a single plan.
@bound_settings
