import { hash, randomUUIDv7 } from 'node:crypto';
import { extensionBase, type Immunization } from '../../data/clinic.ts';
import { openTuned } from '../../data/floor-database.ts';
import { collectTurn } from '../floors/collect-turn.ts';
import { send } from '../floors/floor-listener.ts';
import { readBody } from '../floors/read-body.ts';
import { serveListener } from '../serve-listener.ts';
import { duties } from './duties.ts';

const [filename = ''] = process.argv.slice(2);

type Sent = Omit<Immunization, 'id'>;
type Created = { readonly body: Sent; readonly done: (id: string, at: number) => void };

const database = openTuned(filename);
const readState = database.prepare('select state from records where type = ? and id = ?').pluck();
const selectEnd = (column: string) =>
  `select coalesce(committed, position) as position, digest from records
    where ${column} = (select max(${column}) from records where ${column} is not null)`;
const readEnd = database.prepare(
  `${selectEnd('position')} union all ${selectEnd('committed')} order by position desc`,
);
const readTerm = database
  .prepare('select term from terms where code = ? and parameter = ? and type = ? and kind = ? and system = ?')
  .pluck();
const insertRecord = database.prepare(
  'insert into records (position, readable, version, type, id, patient_id, at, by, digest, state, resource) values (?, 1, 1, ?, ?, ?, ?, ?, ?, ?, ?)',
);
const insertEntry = database.prepare('insert into entries (term, "from", until, record) values (?, ?, ?, ?)');

const type = 'Immunization';
const by = 'Practitioner/bench';
const dayLength = 86_400_000;

const terms = new Map<string, number>();
const termOf = (kind: string, parameter: string, system: string, code: string): number => {
  const key = `${parameter} ${code}`;
  const known = terms.get(key) ?? (readTerm.get(code, parameter, type, kind, system) as number);
  terms.set(key, known);
  return known;
};

const idOf = ({ reference }: { readonly reference: string }) => reference.slice(reference.indexOf('/') + 1);

/** The state and the resource of our record of a body, in the note of its encounter. */
const textsOf = (body: Sent, { id, at, noteId }: { id: string; at: number; noteId: string }) => {
  const { status, vaccineCode, patient, encounter, occurrenceDateTime, primarySource, note } = body;
  const command = { kind: 'immunizationStatement', status, vaccineCode, occurrenceDateTime, note, noteId };
  return {
    state: JSON.stringify({
      id,
      patientId: idOf(patient),
      commands: [
        {
          body: { ...command, encounterId: idOf(encounter) },
          stagedAt: at,
          committed: { at, by, order: 0 },
        },
      ],
    }),
    resource: JSON.stringify({
      resourceType: type,
      id,
      meta: { profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-immunization'] },
      extension: [{ url: `${extensionBase}/note-id`, valueId: noteId }],
      ...{ status, vaccineCode, patient, encounter, occurrenceDateTime, primarySource, note },
    }),
  };
};

type End = { readonly position: number; readonly digest: string };

/** Writes the rows that our store writes for a create in the note of an encounter, with the same digests. */
const insert = ({ body, done }: Created, { position: last, digest: previous }: End): End => {
  const id = randomUUIDv7();
  const at = Date.now();
  const patientId = idOf(body.patient);
  const encounter = JSON.parse(readState.get('Encounter', idOf(body.encounter)) as string);
  if (readState.get('Patient', patientId) === undefined || encounter.patientId !== patientId)
    throw new Error('The patient or the encounter is not known.');
  const { state, resource } = textsOf(body, { id, at, noteId: encounter.noteId });
  const lengths = `${type.length} ${id.length} ${patientId.length} ${by.length} ${state.length} ${resource.length}`;
  const content = hash('sha256', `1 ${at} ${lengths}\n${type}${id}${patientId}${by}${state}${resource}`);
  const position = last + 1;
  const digest = hash('sha256', `${previous} ${position} ${content}`);
  insertRecord.run(position, type, id, patientId, at, by, digest, state, resource);
  insertEntry.run(termOf('token', 'status', 'http://hl7.org/fhir/event-status', 'completed'), 0, 0, position);
  const from = Date.parse(body.occurrenceDateTime);
  insertEntry.run(termOf('date', 'date', '', ''), from, from + dayLength, position);
  const { system, code } = body.vaccineCode.coding[0];
  insertEntry.run(termOf('token', 'vaccine-code', system, code), 0, 0, position);
  done(id, at);
  return { position, digest };
};

const insertAll = database.transaction((creates: readonly Created[]) => {
  let end = readEnd.get() as End;
  for (const create of creates) end = insert(create, end);
});

const onCreate = collectTurn((creates: readonly Created[]) => {
  const written: (() => void)[] = [];
  insertAll.immediate(
    creates.map(({ body, done }) => ({ body, done: (id, at) => written.push(() => done(id, at)) })),
  );
  for (const respond of written) respond();
});

/** The floor of creates on our file: exactly our rows, written by hand, and the duties of each response. */
serveListener((request, response) => {
  if (!duties.admits(request)) {
    send(response, { text: 'null', status: 401 });
    return;
  }
  readBody(request, (text) =>
    onCreate({
      body: JSON.parse(text) as Sent,
      done: (id, at) => {
        const headers = duties.headersOf(request, { id, version: 1, at, resource: '' });
        send(response, {
          text: 'null',
          status: 201,
          headers: { ...headers, location: `/fhir/${type}/${id}` },
        });
      },
    }),
  );
});
