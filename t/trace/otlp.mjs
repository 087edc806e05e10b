// Reads messages with the definitions of OpenTelemetry, and says which member is wrong.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const root = require('./node_modules/@opentelemetry/otlp-transformer/build/src/generated/root.js');
const Request = root.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

// OTLP writes ids in hexadecimal digits, unlike other bytes of Protocol Buffers.
const ids = new Set(['traceId', 'spanId', 'parentSpanId']);
const withBytes = (value, name) => (ids.has(name) ? Buffer.from(value, 'hex')
  : Array.isArray(value) ? value.map((item) => withBytes(item))
    : value && typeof value === 'object'
      ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withBytes(item, key)]))
      : value);

const members = (value) => (Array.isArray(value) ? value.reduce((sum, item) => sum + members(item), 0)
  : value && typeof value === 'object' && !(value instanceof Uint8Array)
    ? Object.values(value).reduce((sum, item) => sum + 1 + members(item), 0) : 0);

for (const message of JSON.parse(readFileSync(process.argv[2]))) {
  const given = withBytes(message);
  const request = Request.fromObject(given);
  const fault = Request.verify(request);
  const decoded = Request.toObject(Request.decode(Request.encode(request).finish()), { longs: String });
  if (fault) throw new Error(fault);
  // A member that the definitions do not know would be lost.
  if (members(decoded) !== members(given)) {
    throw new Error(`lost: ${JSON.stringify(given).slice(0, 2000)}\n${JSON.stringify(decoded).slice(0, 2000)}`);
  }
}
console.log('ok');
