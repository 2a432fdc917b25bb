import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openClinic } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';
import { immunizations, orders } from './arbitrary-elements.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
} from './source-resources.ts';

const document = readFileSync(
  fileURLToPath(new URL('../../../../docs/importing.md', import.meta.url)),
  'utf8',
);

/** The elements in the first column of the table below a heading. */
const listedUnder = (heading: string): ReadonlySet<string> => {
  const [, section = ''] = document.split(`### ${heading}\n`);
  const rows = (section.split('\n#')[0] ?? '').split('\n').filter((line) => line.startsWith('| `'));
  return new Set(
    rows.flatMap((row) =>
      [...(row.split(' | ')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    ),
  );
};

/** The paths of the values that are read in another way than they were sent, without indexes. Values may be added. */
const differences = (sent: unknown, read: unknown, path: string): readonly string[] => {
  if (typeof sent !== 'object' || sent === null) return sent === read ? [] : [path];
  if (read === undefined) return [path];
  return Object.entries(sent).flatMap(([name, value]) =>
    differences(
      value,
      (read as Record<string, unknown>)[name],
      Array.isArray(sent) ? path : `${path}.${name}`,
    ),
  );
};

const isWithin = (path: string, listed: ReadonlySet<string>) =>
  [...listed].some((element) => path === element || path.startsWith(`${element}.`));

describe('import of a resource and its read differ in nothing but what the document lists', () => {
  const otherForms = listedUnder('Read in another form');

  test.each([
    ['Immunization', immunizations],
    ['ServiceRequest', orders],
  ] as const)('%s', async (type, resources) => {
    const { records } = await openClinic(createMemoryStore());
    const reads = type === 'Immunization' ? records.immunizations : records.serviceRequests;
    let id = 0;
    await fc.assert(
      fc.asyncProperty(resources('amy'), async (resource) => {
        id += 1;
        const sent = { ...resource, id: `r${id}` };
        const report = await records.importer.load([sent]);
        expect([report.imported, report.issues]).toEqual([{ [type]: 1 }, []]);
        const read = await reads.read(sent.id);
        const others = differences(sent, { ...read, meta: undefined }, type).filter(
          (path) => !isWithin(path, otherForms),
        );
        expect(new Set(others)).toEqual(new Set(Object.keys(report.lostElements)));
        expect(others.filter((path) => !/\.(meta|language)$/.test(path))).toEqual([]);
      }),
      { numRuns: 300, seed: 7 },
    );
  });
});

onEveryStore('The lost elements of a report', (clinic) => {
  const load = async (...resources: readonly object[]) =>
    (await clinic().records.importer.load(resources)).lostElements;

  test('each element that cannot be read is counted, as often as it is lost', async () => {
    const language = 'en';
    expect(
      await load(
        sourceGoal('amy', { id: 'a', lifecycleStatus: 'on-hold', language }),
        sourceGoal('amy', { id: 'b', lifecycleStatus: 'cancelled', note: [{ text: 'x', id: 'n' }] }),
        sourceImmunization('amy', { subpotentReason: [{ text: 'none' }], lotNumber: 'L1' }),
        sourceOrder('amy', {
          contained: [{ resourceType: 'Specimen' }],
          reasonReference: [{ reference: 'Condition/c', display: 'Cough' }],
        }),
      ),
    ).toEqual({
      'Goal.language': 1,
      'Goal.lifecycleStatus': 2,
      'Immunization.subpotentReason': 1,
      'ServiceRequest.contained': 1,
      'ServiceRequest.reasonReference.display': 1,
    });
  });

  test('a part that is reported as left out is counted, too', async () => {
    const report = await clinic().records.importer.load([
      sourceImmunization('amy', { doseQuantity: { value: 1, unit: '' } }),
    ]);
    expect([report.warningsByRule, report.lostElements]).toEqual([
      { 'left-out': 1 },
      { 'Immunization.doseQuantity.unit': 1 },
    ]);
  });

  test('a note is compared with itself, in whatever order the notes are sent', async () => {
    const note = [
      { text: 'Better', time: '2026-02-01', authorString: 'A niece' },
      { text: 'Begun', time: '2026-01-01' },
    ];
    expect(await load(sourceGoal('amy', { note }))).toEqual({ 'Goal.note.authorString': 1 });
  });

  test('of people, everything that the directory does not keep is counted', async () => {
    const name = [{ use: 'official', family: 'Hill', given: ['Eve', 'Ann'] }];
    expect(
      await load(
        { ...sourcePatient('eve'), name, birthDate: '1970-01-01', maritalStatus: { text: 'single' } },
        sourceEncounter('visit', 'eve', {
          status: 'finished',
          subject: { reference: 'Patient/eve', type: 'Patient' },
        }),
        { resourceType: 'Organization', id: 'ward', name: 'Ward', active: true },
      ),
    ).toEqual({
      'Encounter.status': 1,
      'Organization.active': 1,
      'Patient.maritalStatus': 1,
      'Patient.name.given': 1,
      'Patient.name.use': 1,
    });
  });

  test('of a care team, everything that its patient has not is counted', async () => {
    const participant = [
      { member: { reference: 'Organization/lab' }, period: { start: '2020' } },
      { member: { reference: 'RelatedPerson/niece' } },
    ];
    const subject = { reference: 'Patient/amy' };
    expect(await load({ resourceType: 'CareTeam', id: 't', name: 'Team', subject, participant })).toEqual({
      'CareTeam.id': 1,
      'CareTeam.name': 1,
      'CareTeam.participant': 1,
      'CareTeam.participant.period': 1,
    });
  });

  test('of a care team in another status, the status is kept; it is lost if no participant gets it', async () => {
    const careTeam = (id: string, status: string, rest: object) =>
      sourceCareTeam('amy', [{ member: { reference: `Organization/${id}` } }], {
        id: 'amy',
        status,
        ...rest,
      });
    expect(await load(careTeam('lab', 'inactive', { id: 'amy.inactive' }))).toEqual({});
    expect(await load(careTeam('home', 'active', { period: { end: '2020' } }))).toEqual({
      'CareTeam.id': 1,
      'CareTeam.period': 1,
      'CareTeam.status': 1,
    });
  });

  test('nothing is counted of a resource that exists', async () => {
    const goal = sourceGoal('amy', { language: 'en' });
    await load(goal);
    expect(await load(goal)).toEqual({});
  });

  test('a source that makes up names gets a thousand of them counted', async () => {
    const made = Array.from({ length: 1_500 }, (_, at) => [`name${at}`, 1] as const);
    expect(Object.keys(await load(sourceGoal('amy', Object.fromEntries(made))))).toHaveLength(1_000);
  });
});
