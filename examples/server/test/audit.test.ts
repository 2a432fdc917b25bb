import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
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
  expect(await runHere('--data', filename, '--export-audit', file)).toEqual({
    ...{ code: 0, err: '' },
    out: `Exported the audit of ${filename} into ${file}\n`,
  });
  const actions = readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).action);
  expect(actions).toEqual(['R', 'E']);
  expect(await runHere('--data', filename, '--export-audit', file)).toEqual({
    ...{ code: 2, out: '' },
    err: `clinical-records: ${file} exists already, and an export overwrites nothing\n`,
  });
});

test('the export of an audit that does not exist fails, and creates nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'audit.ndjson');

  const missing = join(folder, 'missing.db');
  expect(await runHere('--data', missing, '--export-audit', file)).toEqual({
    ...{ code: 3, out: '' },
    err: `clinical-records: cannot open ${missing}: there is no such file or folder\n`,
  });
  expect(readdirSync(folder)).toEqual([]);

  const filename = join(folder, 'clinic.db');
  await openSqliteStore({ filename }).close();
  expect(await runHere('--data', filename, '--export-audit', file)).toEqual({
    ...{ code: 3, out: '' },
    err: `clinical-records: ${filename} has no audit log: it was never served with --audit\n`,
  });
  expect(readdirSync(folder)).toEqual(['clinic.db']);
});

test('an export of an audit that fails leaves no file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, 'clinic.db');
  const server = await serveHere({ audit: true, data: { _tag: 'File', filename } });
  await server.send('/fhir/CareTeam/amy');
  server.stop();
  await server.drain();
  const database = new Database(filename);
  database.exec(
    `INSERT INTO audit_events SELECT max(position) + 1, at, "by", patient_id, digest, 'no JSON' FROM audit_events`,
  );
  database.close();
  await expect(runHere('--data', filename, '--export-audit', join(folder, 'audit.ndjson'))).rejects.toThrow(
    'JSON',
  );
  expect(readdirSync(folder)).toEqual(['clinic.db']);
});

test('--verify-audit prints the head to keep, and finds what was changed or cut off since', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, 'clinic.db');
  const server = await serveHere({ audit: true, data: { _tag: 'File', filename } });
  await server.send('/fhir/CareTeam/amy');
  await server.send('/fhir/Goal?patient=amy');
  server.stop();
  await server.drain();

  const verify = (...flags: readonly string[]) => runHere('--data', filename, '--verify-audit', ...flags);
  const { code, out } = await verify();
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^discrepancies of the audit: none\nevents: 2\nhead: 2:[\da-f]{64}\n$/),
  ]);
  const head = out.trimEnd().split('head: ')[1] ?? '';
  expect(await verify('--head', head)).toEqual({ code: 0, out, err: '' });

  const database = new Database(filename);
  database.exec('DROP TRIGGER audit_events_no_delete; DELETE FROM audit_events WHERE position = 2');
  const err = `clinical-records: the audit of ${filename} is not as it should be\n`;
  expect(await verify()).toMatchObject({ code: 0 });
  expect(await verify('--head', head)).toEqual({
    ...{ code: 3, err },
    out: expect.stringContaining('  the head that was given is not in the audit\n'),
  });
  database.exec('DROP TRIGGER audit_events_no_update; UPDATE audit_events SET "by" = \'Practitioner/bob\'');
  expect(await verify()).toEqual({
    ...{ code: 3, err },
    out: expect.stringContaining('  event 1: it was changed or inserted, or the event before it was\n'),
  });
  database.close();
});

test('a file in which no audit log can be created is reported in one line, with exit code 3', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'audit-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const filename = join(folder, 'clinic.db');
  await openSqliteStore({ filename }).close();
  const database = new Database(filename);
  database.exec('CREATE VIEW audit_events AS SELECT 1');
  database.close();
  expect(await runHere('--port', '0', '--data', filename, '--audit')).toEqual({
    ...{ code: 3, out: '' },
    err: expect.stringMatching(`^clinical-records: cannot open ${filename}: .*\n$`),
  });
});
