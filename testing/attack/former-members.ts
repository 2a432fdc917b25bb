import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ClinicalStore, createClinicalRecords } from '../../packages/core/src/index.ts';
import { openSqliteStore } from '../../packages/store-sqlite/src/index.ts';

/** Measures a change of a care team with thousands of former members. It must write only the parts that change. */
const formerMembers = 3_000;
const runs = 9;
/** The most KiB that a change among the active members may write. */
const maxWritten = 4;

const roleOf = (code: string) => ({
  system: 'https://clinic.example/roles',
  code,
  display: code,
});
const nurse = roleOf('nurse');
const roles = [roleOf('doctor'), nurse, roleOf('dietitian'), roleOf('coach')];
const folder = mkdtempSync(join(tmpdir(), 'former-members-'));
const store = openSqliteStore({ filename: join(folder, 'clinic.db') });
const written = { records: 0, characters: 0 };
const countingStore: ClinicalStore = {
  ...store,
  commit: (commit) => {
    for (const { state, resource, index } of commit.changes) {
      written.records += 1;
      written.characters += state.length + (resource?.length ?? 0) + JSON.stringify(index).length;
    }
    return store.commit(commit);
  },
};
const { careTeams, directory, importer, verify } = createClinicalRecords({
  store: countingStore,
  extensionBase: 'https://clinic.example/fhir',
  careTeamRoles: roles,
});

const participant = (id: string, role: number) => ({
  role: [{ coding: roles.slice(role, role + 1) }],
  member: { reference: `Practitioner/${id}` as const },
});
const put = async (...participants: ReturnType<typeof participant>[]) =>
  careTeams.update('amy', { id: 'amy', participant: participants });
const name = async (id: string, lastName: string) =>
  directory.put('Practitioner', { id, lastName, firstName: 'Ada' });

const fill = async () => {
  await directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  const former = Array.from({ length: formerMembers }, (_, index) => `former-${index}`);
  await Promise.all([...former, 'ann', 'bob', 'cyd'].map((id) => name(id, id)));
  const left = former.map((id) => participant(id, 0));
  const subject = { reference: 'Patient/amy' };
  await importer.load([
    { resourceType: 'CareTeam', id: 't', status: 'inactive', subject, participant: left },
  ]);
  await put(participant('ann', 0), participant('bob', 1));
};

/**
 * Runs a change several times, each after another change that prepares it, and returns the KiB that each one writes.
 */
const measure = async (
  what: string,
  change: (run: number) => Promise<unknown>,
  before: (run: number) => Promise<unknown> = async () => null,
): Promise<number> => {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await before(run);
    Object.assign(written, { records: 0, characters: 0 });
    const start = performance.now();
    await change(run);
    times.push(performance.now() - start);
  }
  const median = times.toSorted((one, other) => one - other)[Math.floor(runs / 2)] ?? 0;
  const size = written.characters / 1_024;
  console.log(`${what}: ${median.toFixed(1)} ms, ${written.records} records, ${size.toFixed(1)} KiB`);
  return size;
};

await fill();
const [ann, bob] = [participant('ann', 0), participant('bob', 1)];
const small = [
  await measure('a PUT of the same', () => put(ann, bob)),
  await measure('a PUT of another role', (run) => put(ann, participant('bob', 2 + (run % 2)))),
  await measure(
    'a PUT with a new member',
    () => put(ann, participant('cyd', 1)),
    async () => {
      await careTeams.setParticipantStatus('amy', 'Practitioner/cyd', 'suspended', { role: nurse });
      await put(ann);
    },
  ),
  await measure('a new name of an active member', (run) => name('ann', `Name ${run}`)),
];
await measure(
  'a PUT that lets one go',
  () => put(ann),
  () => put(ann, bob),
);
await measure(
  'a PUT that brings a member back',
  () => put(ann, bob),
  () => put(ann),
);
await measure('a new name of a former member', (run) => name('former-7', `Name ${run}`));
await measure('a GET of the active team', async () => careTeams.asJson.read('amy'));
await measure('a GET of the former members', async () => careTeams.asJson.read('amy.inactive'));

const { discrepancies } = await verify();
await store.close();
rmSync(folder, { recursive: true });

const isKept = small.every((size) => size <= maxWritten) && discrepancies.length === 0;
console.log(isKept ? 'kept' : `not kept: more than ${maxWritten} KiB, or records that do not derive`);
process.exitCode = isKept ? 0 : 1;
