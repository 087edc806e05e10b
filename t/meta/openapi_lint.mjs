// Says whether a file is a valid OpenAPI document, and what it breaks.
import { readFileSync } from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';

const validator = new Validator();
const text = readFileSync(process.argv[2], 'utf8');
const { valid, errors } = await validator.validate(JSON.parse(text));
console.log(valid ? `valid OpenAPI ${validator.version}`
  : JSON.stringify(errors, null, 1));
