import { readFileSync } from 'node:fs';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { answerParent } from '../child/answer-parent.ts';
import { clinicResources, extensionBase, type Immunization, immunizationBody } from '../data/clinic.ts';
import { below, randomFrom } from '../data/random.ts';

/** Which bytes are counted: those of a dose in a new file, or those that each of some creates writes, which begin together. */
export type BytesWork =
  | { readonly of: 'dose'; readonly extensionBase: string }
  | { readonly of: 'create'; readonly together: number };

const [filename = ''] = process.argv.slice(2);

const doses = 2400;

/** The size of a new file with only doses, and what they refer to. */
const bytesOfDose = async (base: string): Promise<number> => {
  const database = new Database(':memory:');
  const pragma = (name: string) => database.pragma(name, { simple: true }) as number;
  // As in a new file of a store.
  database.pragma('page_size = 8192');
  const store = openSqliteStore({ database });
  const { importer } = createClinicalRecords({ store, extensionBase: base, careTeamRoles: [] });
  // Every second patient has doses.
  const resources = clinicResources({ from: 0, until: 2 * doses });
  const texts = async function* () {
    for (const resource of resources)
      if (resource.resourceType !== 'ServiceRequest') yield JSON.stringify(resource);
  };
  const { issues } = await importer.load(texts());
  if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
  const bytes = pragma('page_count') * pragma('page_size');
  database.close();
  return bytes / doses;
};

/** The bytes that this process has written. Only Linux reports them. */
const countWrittenBytes = (): number =>
  Number(/^wchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

const creates = 960;

/** The bytes that a create in the note of its encounter writes, to the log and from the log to the file. */
const bytesOfCreate = async (together: number): Promise<number> => {
  const store = openSqliteStore({ filename });
  const { immunizations } = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
  const random = randomFrom(together);
  const create = () => {
    const body = immunizationBody(24 * below(random, 400) + 3 * below(random, 4), 'its encounter');
    return immunizations.create(body as Immunization, { by: 'Practitioner/bench' });
  };
  const before = countWrittenBytes();
  for (let count = 0; count < creates; count += together)
    await Promise.all(Array.from({ length: together }, create));
  await store.close();
  return (countWrittenBytes() - before) / creates;
};

answerParent((work: BytesWork) =>
  work.of === 'dose' ? bytesOfDose(work.extensionBase) : bytesOfCreate(work.together),
);
