import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clinicResources, extensionBase } from '../../bench/data/clinic.ts';
import { below, randomFrom } from '../../bench/data/random.ts';
import { createClinicalRecords } from '../../packages/core/src/index.ts';
import { openSqliteStore } from '../../packages/store-sqlite/src/index.ts';

/**
 * Measures the CPU time of imports in an unfavorable order: mixed resources, a Bundle for each patient, care teams, and
 * one member who is repeated with every patient. Each is compared with the same number of resources in order.
 */
const count = 3_000;
const rounds = 5;

/**
 * The most times as long as resources in order that each may take. A care team is decided and written in more parts.
 */
const maxRatios = { mixed: 1.5, bundles: 1.5, 'care teams': 3, 'one member': 3 };

type Json = Readonly<Record<string, unknown>>;

const careTeamRoles = [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }];
const member = { resourceType: 'Practitioner', id: 'ada', name: [{ family: 'Byron', given: ['Ada'] }] };
const patient = (id: string) => ({ resourceType: 'Patient', id, name: [{ family: 'Shaw', given: [id] }] });
const careTeam = (id: string) => ({
  resourceType: 'CareTeam',
  id,
  subject: { reference: `Patient/${id}` },
  participant: [{ member: { reference: 'Practitioner/ada' }, role: [{ coding: careTeamRoles }] }],
});
const bundle = (...resources: readonly object[]) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});

const shuffle = (resources: readonly object[]): readonly object[] => {
  const random = randomFrom(1);
  return resources
    .map((resource) => ({ resource, at: below(random, 1_000_000_000) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ resource }) => resource);
};

const patientOf = (resource: Json): string =>
  resource.resourceType === 'Patient'
    ? `Patient/${resource.id}`
    : (((resource.patient ?? resource.subject) as Json).reference as string);

const workloads: Readonly<
  Record<string, (from: number) => { before?: readonly object[]; timed: readonly object[] }>
> = {
  'in order': (from) => ({ timed: [...clinicResources({ from, until: from + count })] }),
  mixed: (from) => ({ timed: shuffle([...clinicResources({ from, until: from + count })]) }),
  bundles: (from) => {
    const byPatient = Map.groupBy(
      [...clinicResources({ from, until: from + count })] as unknown as Json[],
      patientOf,
    );
    return { timed: [...byPatient.values()].map((resources) => bundle(...resources)) };
  },
  'care teams': (from) => {
    const ids = Array.from({ length: count }, (_, at) => `${from + at}`);
    return { before: [member, ...ids.map(patient)], timed: ids.map(careTeam) };
  },
  'one member': (from) => {
    const ids = Array.from({ length: count / 3 }, (_, at) => `${from + at}`);
    return { timed: ids.map((id) => bundle(member, patient(id), careTeam(id))) };
  },
};

const folder = mkdtempSync(join(tmpdir(), 'imports-'));
const clinics = Object.entries(workloads).map(([name, resources], at) => {
  const store = openSqliteStore({ filename: join(folder, `${at}.db`) });
  const { importer } = createClinicalRecords({ store, extensionBase, careTeamRoles });
  /** Imports items, and returns the microseconds for each. */
  const load = async (items: readonly object[]): Promise<number> => {
    const texts = items.map((item) => JSON.stringify(item));
    let read = 0;
    const onProgress = (progress: { readonly read: number }) => {
      read = progress.read;
    };
    const began = process.cpuUsage();
    const { issues } = await importer.load(texts, { onProgress });
    const { user, system } = process.cpuUsage(began);
    if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
    return (user + system) / read;
  };
  return { name, resources, store, load, costs: [] as number[] };
});

for (let round = 0; round <= rounds; round++) {
  for (const { resources, load, costs } of clinics) {
    const { before = [], timed } = resources(round * count);
    await load(before);
    const cost = await load(timed);
    // The first round warms up.
    if (round > 0) costs.push(cost);
  }
}

const [inOrder = Number.NaN] = clinics.map(({ costs }) => Math.min(...costs));
for (const { name, costs } of clinics) {
  const cost = Math.min(...costs);
  const limit = maxRatios[name as keyof typeof maxRatios];
  const ratio = cost / inOrder;
  if (ratio > limit) process.exitCode = 1;
  const wanted =
    limit === undefined ? '' : `, ${ratio.toFixed(2)} times as long as in order, at most ${limit} wanted`;
  console.log(`${name}: ${cost.toFixed(0)} µs of the processor a resource${wanted}`);
}

await Promise.all(clinics.map(({ store }) => store.close()));
rmSync(folder, { recursive: true });
