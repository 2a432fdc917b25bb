import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runHere } from './run-here.ts';
import { serveHere, token } from './serve-here.ts';

test('with --audit, one sees who looked at a chart, over HTTP and in an export', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, 'clinic.db');
  const principal = { subject: 'Practitioner/12', scopes: 'user/*.* user/AuditEvent.rs' } as const;
  const server = await serveHere({
    ...{ audit: true, data: { _tag: 'File', filename } },
    access: { _tag: 'PrintedToken', grant: { token, principal } },
  });
  await server.send('/fhir/CareTeam/amy');
  const response = await server.send('/fhir/AuditEvent?patient=amy');
  const found = (await response.json()) as { readonly entry: unknown };
  expect(found.entry).toMatchObject([
    {
      resource: {
        meta: { profile: [expect.stringMatching(/PatientRead$/)] },
        agent: [{ network: { address: '127.0.0.1' } }, {}, { who: { reference: 'Practitioner/12' } }],
      },
    },
  ]);
  server.stop();
  await server.drain();

  const file = join(folder, 'audit.ndjson');
  expect(await runHere('--data', filename, '--export-audit', file)).toEqual({ code: 0, out: '', err: '' });
  const actions = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect(actions).toEqual(['R', 'E']);
  expect(await runHere('--data', filename, '--export-audit', file)).toMatchObject({ code: 3 });
});
