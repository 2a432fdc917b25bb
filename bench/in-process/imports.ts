import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { answerParent } from '../child/answer-parent.ts';
import { clinicResources, extensionBase, type Range, type Resource } from '../data/clinic.ts';
import { openFloor, prepareInsert } from '../data/floor-database.ts';
import type { Rate } from '../measure/interleaved.ts';

/**
 * With `timed`, the texts are created before the clock starts. Otherwise they are created on the way. The floor's file
 * has exactly the responses of the library, so that both send the same bytes.
 */
export type Import = { readonly into: 'ours' | 'floor'; readonly range: Range; readonly timed: boolean };

const [ours = '', floor = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename: ours });
const { importer, immunizations, serviceRequests } = createClinicalRecords({
  store,
  extensionBase,
  careTeamRoles: [],
});
const reads = { Immunization: immunizations.asJson, ServiceRequest: serviceRequests.asJson };
const database = openFloor(floor);
const insert = prepareInsert(database);

type Line = { readonly resource: Resource; readonly text: string };

function* lines(range: Range): Iterable<Line> {
  for (const resource of clinicResources(range)) yield { resource, text: JSON.stringify(resource) };
}

const importAll = async (source: Iterable<Line>): Promise<number> => {
  let read = 0;
  async function* texts(): AsyncIterable<string> {
    for (const { text } of source) {
      read += 1;
      yield text;
    }
  }
  const { issues } = await importer.load(texts());
  if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
  return read;
};

const rowsInTransaction = 256;

const readFromOurs = async ({ resourceType, id }: Resource): Promise<string | null> => {
  const isReadable = resourceType === 'Immunization' || resourceType === 'ServiceRequest';
  return isReadable ? (await reads[resourceType].read(id)).json : null;
};

const insertAll = async (source: Iterable<Line>, timed: boolean): Promise<number> => {
  let written = 0;
  database.exec('begin');
  for (const { resource, text: sent } of source) {
    const text = timed ? sent : ((await readFromOurs(resource)) ?? sent);
    const { patient, subject } = resource as Partial<Record<'patient' | 'subject', { reference: string }>>;
    const reference = (patient ?? subject)?.reference ?? null;
    insert.run(resource.resourceType, resource.id, reference?.slice('Patient/'.length) ?? null, text);
    written += 1;
    if (written % rowsInTransaction === 0) database.exec('commit; begin');
  }
  database.exec('commit');
  return written;
};

/** Imports resources, or inserts their texts, and returns the rate. */
answerParent(async ({ into, range, timed }: Import): Promise<Rate> => {
  const source = timed ? [...lines(range)] : lines(range);
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  const count = into === 'ours' ? await importAll(source) : await insertAll(source, timed);
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    perSecond: (count * 1000) / (performance.now() - began),
    microsecondsEach: (user + system) / count,
  };
});
