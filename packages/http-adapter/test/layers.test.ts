import { describeLayers } from '../../core/test/layers.ts';

describeLayers(new URL('../src/', import.meta.url), [
  ['errors.ts', 'http.ts', 'http-date.ts', 'option-values.ts'],
  ['access'],
  ['host'],
  ['routes'],
  ['request'],
  ['bindings', 'cors.ts', 'documents', 'respond'],
  ['bulk-export', 'events'],
  ['options.ts'],
  ['public-documents.ts'],
  ['handler.ts'],
  ['jwt', 'mcp', 'telemetry', 'webhooks'],
  ['index.ts', 'jwt.ts', 'mcp.ts', 'telemetry.ts', 'webhooks.ts'],
]);
