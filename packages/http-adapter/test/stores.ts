import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalStore } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, describe, expect } from 'vitest';
import { expectProfiles } from './check-profiles.ts';
import { type Clinic, type ClinicOptions, openClinic } from './clinic.ts';

const sqliteInFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  return {
    store: openSqliteStore({ filename: join(folder, 'clinic.db') }),
    remove: () => rmSync(folder, { recursive: true }),
  };
};

const stores: readonly (readonly [string, () => { store: ClinicalStore; remove: () => void }])[] = [
  ['memory', () => ({ store: createMemoryStore(), remove: () => {} })],
  ['sqlite', sqliteInFolder],
];

/**
 * The same tests on every store, each on a new clinic. Whatever was done there, all that is stored derives from its state,
 * and each resource is valid FHIR.
 */
export const onEveryStore = (
  section: string,
  tests: (clinic: () => Clinic) => void,
  options?: ClinicOptions,
): void => {
  describe.each(stores)(`${section} (%s)`, (_, open) => {
    let clinic: Clinic;
    let close: () => Promise<void>;
    beforeEach(async () => {
      const { store, remove } = open();
      clinic = await openClinic(store, options);
      close = async () => {
        await store.close()();
        remove();
      };
    });
    afterEach(async () => {
      await expectProfiles(clinic);
      const { discrepancies, miscounted } = await clinic.records.verify();
      await close();
      expect([discrepancies, miscounted]).toEqual([[], []]);
    });
    tests(() => clinic);
  });
};
