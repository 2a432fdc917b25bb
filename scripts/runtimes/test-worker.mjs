import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { createClient } from '@clinical-records/client';

// Starts the worker in Cloudflare's runtime, and records a dose.

await build({
  ...{ entryPoints: ['worker.mjs'], outfile: 'worker.js', bundle: true, format: 'esm', platform: 'neutral' },
  ...{ mainFields: ['module', 'main'], external: ['node:*'], logLevel: 'error' },
});
// Its file of control names the port that it listens on.
const workerd = spawn('node_modules/.bin/workerd', ['serve', 'worker.capnp', '--control-fd=3'], {
  stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
});
try {
  const lines = createInterface({ input: workerd.stdio[3] });
  const [line] = await once(lines, 'line');
  const { port } = JSON.parse(line);
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}/fhir`, getToken: () => 'ada' });
  const dose = await client.create('Immunization', {
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: 'Patient/7' },
    occurrenceDateTime: '2025-10-02',
    primarySource: false,
  });
  const { total, resources } = await client.searchPage('Immunization', { patient: '7' });
  assert.deepEqual([total, resources[0].id], [1, dose.id]);
} finally {
  workerd.kill();
}
