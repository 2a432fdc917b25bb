import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { createTenant, listTenants, openPostgresStore } from '@clinical-records/store-postgres';
import type pg from 'pg';

/** Where clinics are. Each is a tenant of the tables of a server. */
export type Servers = {
  /** The pool of the server that has a clinic; null if there is no such clinic. It is asked for each request. */
  readonly serverOf: (name: string) => Promise<pg.Pool | null>;
  /** Adds a clinic, unless it exists. */
  readonly add: (name: string) => Promise<void>;
};

/** One server for all clinics. Other processes may add clinics at any time. */
export const oneServer = (pool: pg.Pool): Servers => {
  let names: ReadonlySet<string> = new Set();
  const serverOf: Servers['serverOf'] = async (name) => {
    if (!names.has(name)) names = new Set((await listTenants({ pool })).map((tenant) => tenant.name));
    return names.has(name) ? pool : null;
  };
  const add: Servers['add'] = async (name) => {
    if ((await serverOf(name)) === null) await createTenant({ pool, tenant: name });
  };
  return { serverOf, add };
};

/** The clinics of some servers. */
export type Clinics = Pick<Servers, 'add'> & {
  /** Does work with the records of a clinic, and returns its result; null if there is no such clinic. */
  readonly use: <A>(name: string, work: (records: ClinicalRecords) => Promise<A>) => Promise<A | null>;
  readonly countOpen: () => number;
};

type OpenClinic = {
  readonly pool: pg.Pool;
  readonly records: ClinicalRecords;
  readonly close: () => Promise<void>;
  /** How much work uses it now. */
  users: number;
};

/** Opening costs no query. */
const openClinic = (pool: pg.Pool, name: string): OpenClinic => {
  const store = openPostgresStore({ pool, tenant: name });
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  return { pool, records, close: store.close, users: 0 };
};

/**
 * Opens the clinics, each when it is first used, and again when it has moved to another server. Those of a server share its pool. Of more
 * than `maxOpen`, those that were not used for the longest time are closed.
 */
export const openClinics = (
  { serverOf, add }: Servers,
  { maxOpen = 100 }: { readonly maxOpen?: number } = {},
): Clinics => {
  /** The one that was used last is the last. */
  const opened = new Map<string, OpenClinic>();

  const closeIdle = async (): Promise<void> => {
    for (const [name, { users, close }] of opened) {
      if (opened.size <= maxOpen) return;
      if (users > 0) continue;
      opened.delete(name);
      await close();
    }
  };

  return {
    add,
    use: async (name, work) => {
      const pool = await serverOf(name);
      if (pool === null) return null;
      const former = opened.get(name);
      const clinic = former?.pool === pool ? former : openClinic(pool, name);
      opened.delete(name);
      opened.set(name, clinic);
      clinic.users += 1;
      if (former !== clinic && former?.users === 0) await former.close();
      try {
        return await work(clinic.records);
      } finally {
        clinic.users -= 1;
        // It has moved meanwhile.
        if (clinic.users === 0 && opened.get(name) !== clinic) await clinic.close();
        await closeIdle();
      }
    },
    countOpen: () => opened.size,
  };
};
