import { execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import {
  countRuleFailures,
  instrumentHandler,
  instrumentStore,
} from '@clinical-records/http-adapter/telemetry';
import { createMemoryStore } from '@clinical-records/store-memory';
import { findFreePort } from '@clinical-records/testing-postgres';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { findBrokenLinks } from '../../../../scripts/docs/find-broken-links.ts';
import { endAll, newFolder } from '../running-server.ts';
import { until } from '../until.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));
const read = (name: string) => readFileSync(join(root, 'examples/server/deploy', name), 'utf8');

const alerts = read('alerts.yaml');
const panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] = JSON.parse(
  read('dashboard.json'),
).panels;

/** The queries of the rules, of which some are a block of lines, and of the dashboard. */
const queries = {
  'alerts.yaml': Array.from(
    alerts.matchAll(/^ {8}expr: (?:\|\n((?: {10,}.*\n)+)|(.*))/gm),
    ([, block, line]) => block ?? line ?? '',
  ),
  'dashboard.json': panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
};

/** Metrics that exporters of other projects serve. The head of the rules names them. */
const others = [
  ...['probe_success', 'node_filesystem_avail_bytes', 'node_filesystem_size_bytes'],
  ...['pg_replication_lag_seconds', 'pg_replication_is_replica'],
];

/** The metrics of a query, and the labels by which it selects or groups. */
const namesIn = (query: string) => {
  const grouped = Array.from(query.matchAll(/\bby \(([^)]*)\)/g), ([, list = '']) => list.split(', ')).flat();
  const selected = Array.from(query.matchAll(/(\w+)(?:=~|!~|!=|=)"/g), ([, label = '']) => label);
  const rest = query.replace(/\bby \([^)]*\)|\{[^}]*\}/g, '');
  return {
    metrics: rest.match(/\b[a-z]+(?:_[a-z]+){2,}\b(?!\()|probe_success/g) ?? [],
    labels: [...grouped, ...selected],
  };
};

let exported = '';

beforeAll(async () => {
  const port = await findFreePort();
  vi.stubEnv('METRICS_PORT', `${port}`);
  await import('../../deploy/metrics.ts');
  const store = instrumentStore(createMemoryStore(), { queues: { pool: () => 1 } });
  await store.commit({ changes: [], versionChecks: [] });
  const missing = { type: 'Patient', id: 'amy', expects: { _tag: 'Version', version: 1 } } as const;
  await store.commit({ changes: [], versionChecks: [missing] });
  countRuleFailures()({ resourceType: 'Goal', resourceId: '1', patientId: '7', cause: new Error('broken') });
  const response = { status: 200, headers: {}, body: '', route: '/fhir/Goal' };
  await instrumentHandler(Object.assign(async () => response, { bodyLimit: 0 }))({
    method: 'GET',
    url: '/fhir/Goal',
    headers: {},
  });
  exported = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
});

afterAll(async () => {
  vi.unstubAllEnvs();
  await endAll();
});

test.each(Object.entries(queries))('%s asks only for metrics and labels that are exported', (_, asked) => {
  expect(asked.length).toBeGreaterThan(8);
  const metrics = new Set([...Array.from(exported.matchAll(/^(\w+)\{/gm), ([, name]) => name), ...others]);
  const labels = new Set(Array.from(exported.matchAll(/[{,](\w+)="/g), ([, label]) => label));
  for (const label of ['instance', 'mountpoint', 'fstype', 'job']) labels.add(label);
  const names = asked.map(namesIn);
  expect(names.filter(({ metrics }) => metrics.length === 0)).toEqual([]);
  expect(names.flatMap((name) => name.metrics).filter((metric) => !metrics.has(metric))).toEqual([]);
  expect(names.flatMap((name) => name.labels).filter((label) => !labels.has(label))).toEqual([]);
});

test('each alert has a runbook, which is a section of the documents', () => {
  const runbooks = Array.from(alerts.matchAll(/^ +runbook: (.*)$/gm), ([, link]) => link);
  expect(runbooks).toHaveLength(alerts.match(/- alert:/g)?.length ?? 0);
  process.chdir(root);
  expect(findBrokenLinks('README.md', runbooks.map((link) => `[runbook](${link})`).join('\n'))).toEqual([]);
});

test('a process that has stopped ends while Prometheus asks for its metrics', async () => {
  const port = await findFreePort();
  const module = new URL('../../deploy/metrics.ts', import.meta.url).href;
  const child = spawn(process.execPath, ['--import', module, '--eval', 'process.stdin.resume()'], {
    env: { ...process.env, METRICS_PORT: `${port}` },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  const scrape = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).ok;
  await until(() => scrape().catch(() => false));
  child.stdin.end();
  while (child.exitCode === null && (await scrape().catch(() => true)));
  await until(() => child.exitCode !== null);
  expect(child.exitCode).toBe(0);
});

const promtool = process.env.PROMTOOL ?? '/usr/bin/promtool';

/** Series of a minute each, from which Prometheus is to raise an alert, or not. */
const cases = `
rule_files: [alerts.yaml]
evaluation_interval: 1m
tests:
  - interval: 1m
    input_series:
      - { series: 'clinical_records_request_duration_seconds_count{http_response_status_code="200"}', values: '0+60x20' }
      - { series: 'clinical_records_request_duration_seconds_count{http_response_status_code="503"}', values: '0x10 0+6x10' }
      - { series: 'clinical_records_store_duration_seconds_count{error_type="OutcomeUnknown"}', values: '_x12 1x20' }
    alert_rule_test:
      - { eval_time: 9m, alertname: ClinicalRecordsFailing, exp_alerts: [] }
      - { eval_time: 9m, alertname: ClinicalRecordsOutcomeUnknown, exp_alerts: [] }
      - eval_time: 18m
        alertname: ClinicalRecordsOutcomeUnknown
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: It is not known whether a commit was written., runbook: docs/on-call.md#a-write-has-an-unknown-outcome }
      - eval_time: 18m
        alertname: ClinicalRecordsFailing
        exp_alerts:
          - exp_labels: { severity: page }
            exp_annotations: { summary: 9.091% of requests fail., runbook: docs/on-call.md#every-request-is-a-503 }
      - { eval_time: 30m, alertname: ClinicalRecordsOutcomeUnknown, exp_alerts: [] }
`;

test.skipIf(!existsSync(promtool))(
  'Prometheus accepts the rules and the dashboard, and raises alerts',
  async () => {
    const folder = await newFolder();
    const run = (...args: readonly string[]) => promisify(execFile)(promtool, args, { cwd: folder });
    await writeFile(join(folder, 'alerts.yaml'), alerts);
    await writeFile(join(folder, 'cases.yaml'), cases);
    const recorded = queries['dashboard.json'].map((expr, panel) => ({
      record: `panel:${panel}`,
      expr: expr.replaceAll('$__rate_interval', '5m'),
    }));
    await writeFile(
      join(folder, 'panels.json'),
      JSON.stringify({ groups: [{ name: 'panels', rules: recorded }] }),
    );
    expect((await run('check', 'rules', 'alerts.yaml', 'panels.json')).stdout).toContain('SUCCESS');
    expect((await run('test', 'rules', 'cases.yaml')).stdout).toContain('SUCCESS');
  },
);
