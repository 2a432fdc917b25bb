import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { createTenant, listTenants, openPostgresStore } from '@clinical-records/store-postgres';
import type pg from 'pg';

/** The clinics of a database. Each is a tenant of the same tables. */
export type Clinics = {
  /** Adds a clinic, unless it exists. */
  readonly add: (name: string) => Promise<void>;
  /** Does work with the records of a clinic, and returns its result; null if there is no such clinic. */
  readonly use: <A>(name: string, work: (records: ClinicalRecords) => Promise<A>) => Promise<A | null>;
  readonly countOpen: () => number;
};

type OpenClinic = {
  readonly records: ClinicalRecords;
  readonly close: () => Promise<void>;
  /** How much work uses it now. */
  users: number;
};

/**
 * Opens the clinics of a database, each when it is first used. All of them share the pool. Of more than `maxOpen`, those that were not
 * used for the longest time are closed. Other processes may add clinics at any time.
 */
export const openClinics = (
  pool: pg.Pool,
  { maxOpen = 100 }: { readonly maxOpen?: number } = {},
): Clinics => {
  /** The one that was used last is the last. */
  const opened = new Map<string, OpenClinic>();

  let names: ReadonlySet<string> = new Set();

  const exists = async (name: string): Promise<boolean> => {
    if (!names.has(name)) names = new Set(await listTenants({ pool }));
    return names.has(name);
  };

  /** Opening costs no query. */
  const open = (name: string): OpenClinic => {
    const store = openPostgresStore({ pool, tenant: name });
    const records = createClinicalRecords({
      store,
      extensionBase: 'https://clinic.example/fhir/extensions',
      careTeamRoles: [],
    });
    return { records, close: store.close, users: 0 };
  };

  const closeIdle = async (): Promise<void> => {
    for (const [name, { users, close }] of opened) {
      if (opened.size <= maxOpen) return;
      if (users > 0) continue;
      opened.delete(name);
      await close();
    }
  };

  return {
    add: async (name) => {
      if (!(await exists(name))) await createTenant({ pool, tenant: name });
    },
    use: async (name, work) => {
      if (!opened.has(name) && !(await exists(name))) return null;
      const clinic = opened.get(name) ?? open(name);
      opened.delete(name);
      opened.set(name, clinic);
      clinic.users += 1;
      try {
        return await work(clinic.records);
      } finally {
        clinic.users -= 1;
        await closeIdle();
      }
    },
    countOpen: () => opened.size,
  };
};
