import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { type Clinic, type ClinicOptions, createClock, openClinic, useClinic } from './clinic.ts';
import { expectProfiles } from './documents/check-profiles.ts';
import { recordCommits } from './record-commits.ts';

type OpenedClinic = {
  readonly clinic: Clinic;
  /** How many versions it has at first. */
  readonly versions: number;
  readonly close: () => Promise<void>;
};

const countVersions = async ({ feed }: Clinic): Promise<number> => (await feed()).length;

/** The number of versions of a clinic, and the time from which a clock goes on as if it had not been looked at since. */
const stateOf = async (clinic: Clinic) => ({
  versions: await countVersions(clinic),
  time: new Date(clinic.clock.now().getTime() - 1_000).toISOString(),
});

const fillMemory = (options?: ClinicOptions) =>
  recordCommits(async (store) => stateOf(await openClinic(store, options)));

let recorded: ReturnType<typeof fillMemory> | undefined;

const inMemory = async (options?: ClinicOptions): Promise<OpenedClinic> => {
  recorded ??= fillMemory();
  const { filled, repeat } = await (options === undefined ? recorded : fillMemory(options));
  const clinic = useClinic(await repeat(), { ...options, clock: createClock(filled.time) });
  return { clinic, versions: filled.versions, close: async () => {} };
};

const newFile = () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  return { filename: join(folder, 'clinic.db'), remove: () => rmSync(folder, { recursive: true }) };
};

/** The content of a file with the records of a clinic. */
const fillFile = async (options?: ClinicOptions) => {
  const { filename, remove } = newFile();
  const clinic = await openClinic(openSqliteStore({ filename }), options);
  const state = await stateOf(clinic);
  await clinic.store.close();
  const content = readFileSync(filename);
  remove();
  return { content, ...state };
};

let filled: ReturnType<typeof fillFile> | undefined;

/** Writes the records into a file once. Each clinic has a copy of it, which takes a third of the time. */
const inFile = async (options?: ClinicOptions): Promise<OpenedClinic> => {
  filled ??= fillFile();
  const { content, versions, time } = await (options === undefined ? filled : fillFile(options));
  const { filename, remove } = newFile();
  writeFileSync(filename, content);
  const store = openSqliteStore({ filename });
  const clinic = useClinic(store, { ...options, clock: createClock(time) });
  const close = async () => {
    await store.close();
    remove();
  };
  return { clinic, versions, close };
};

/** Whether everything is tested that takes long, with `STORES=all`, as in CI. */
export const testsAll = process.env.STORES === 'all';

/** Of the stores on which tests run, all in CI; otherwise the first. */
export const selectStores = <Store>(...stores: readonly Store[]): readonly Store[] =>
  testsAll ? stores : stores.slice(0, 1);

const stores = selectStores<readonly [name: string, open: typeof inMemory]>(
  ['memory', inMemory],
  ['sqlite', inFile],
);

/**
 * The same tests on every store that is selected, each on a new clinic. Whatever was done there, all that is stored derives from its state,
 * and each resource is valid FHIR. This takes as long as most tests, so it is left out if nothing was written.
 */
export const onEveryStore = (
  section: string,
  tests: (clinic: () => Clinic) => void,
  options?: ClinicOptions,
): void => {
  describe.each(stores)(`${section} (%s)`, (_, open) => {
    let opened: OpenedClinic;
    beforeEach(async () => {
      opened = await open(options);
    });
    afterEach(async () => {
      const { clinic, versions, close } = opened;
      if ((await countVersions(clinic)) > versions) {
        await expectProfiles(clinic);
        const { discrepancies, miscounted } = await clinic.records.verify();
        expect([discrepancies, miscounted]).toEqual([[], []]);
      }
      await close();
    });
    tests(() => opened.clinic);
  });
};
