import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { CareTeam } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Clinic, openClinic } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';
import {
  hasSentDigits,
  importableResources,
  importableTypes,
  pathsOf,
  textOf,
  withNumber,
} from './arbitrary-resources.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
} from './source-resources.ts';

const document = readFileSync(
  fileURLToPath(new URL('../../../../../docs/importing.md', import.meta.url)),
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

/** Whether a text is in a resource only once, wherever that is. */
const isUnique = (value: unknown): boolean => typeof value === 'string' && /\bt\d+r\d+\b/.test(value);

/** A resource as it was read, and its text. */
type Read = { readonly resource: unknown; readonly text: string };

type LostValue = { readonly path: string; readonly value: unknown };

/**
 * The sent values that were not read, with their paths without indexes. A value of a list is compared with the one that has most of it.
 * A text that is in a resource only once counts as read wherever it is.
 */
const lostValues = (sent: unknown, { resource: read, text }: Read, path: string): readonly LostValue[] => {
  if (Array.isArray(sent)) {
    const values: readonly unknown[] = Array.isArray(read) ? read : [];
    return sent.flatMap((one) => {
      const losses = [undefined, ...values].map((other) => lostValues(one, { resource: other, text }, path));
      return losses.toSorted((a, b) => a.length - b.length)[0] ?? [];
    });
  }
  if (typeof sent === 'object' && sent !== null) {
    const parts = (read ?? {}) as Record<string, unknown>;
    return Object.entries(sent).flatMap(([name, value]) =>
      lostValues(value, { resource: parts[name], text }, `${path}.${name}`),
    );
  }
  const isRead = sent === read || (isUnique(sent) && text.includes(JSON.stringify(sent)));
  return isRead ? [] : [{ path, value: sent }];
};

const isWithin = (path: string, names: Iterable<string>) =>
  [...names].some((name) => path === name || path.startsWith(`${name}.`));

const statuses = 'proposed,active,suspended,inactive,entered-in-error';

/** Reads a resource, or all parts of the care team of a patient as one. */
const readBack = async (
  { get }: Clinic,
  { type, id, sent }: { type: string; id: string; sent: object },
): Promise<Read> => {
  if (type !== 'CareTeam') {
    const { json: resource, text } = await get(`/${type}/${id}`);
    return { resource, text };
  }
  const { json: active } = await get(`/CareTeam/${id}`);
  const { json } = await get(`/CareTeam?patient=${id}&status=${statuses}`);
  const teams: readonly CareTeam[] = (json.entry ?? []).map(
    ({ resource }: { resource: CareTeam }) => resource,
  );
  const withParticipants = teams.filter((team) => team.participant !== undefined);
  const ofStatus = withParticipants.find(({ status }) => 'status' in sent && status === sent.status);
  const participant = teams.flatMap((team) => team.participant ?? []);
  return {
    resource: { ...active, status: undefined, ...ofStatus, participant },
    text: JSON.stringify(teams),
  };
};

/** The elements of people that are stored. A name is stored in another form. */
const storedOfPeople = {
  Patient: ['identifier', 'gender', 'birthDate', 'deceasedBoolean', 'deceasedDateTime'],
  Practitioner: ['identifier'],
  Organization: ['identifier', 'name'],
  Encounter: ['subject.reference'],
};

/** Elements with which no resource is imported. */
const neverImported: readonly string[] = ['Immunization.occurrenceString'];

/** The elements of resources of all types that are documented as lost: some elements, and some within others. */
const lostOfAll = [
  /^\w+\.(?:meta(?!\.(?:security|tag))|text|language|contained|extension|_\w+)(?:\.|$)/,
  /^\w+\.\w+\S*\.(?:id|extension|_\w+|identifier)(?:\.|$)/,
];

describe('of an imported resource with any elements of FHIR R4, each value is read back, or counted as lost', () => {
  const otherForms = listedUnder('Read in another form');
  const lost = listedUnder('Lost elements');

  const isDocumented = (path: string): boolean => {
    const [type = '', ...steps] = path.split('.');
    if (lostOfAll.some((paths) => paths.test(path)) || isWithin(path, lost)) return true;
    const stored = type in storedOfPeople ? storedOfPeople[type as keyof typeof storedOfPeople] : null;
    return stored !== null && !isWithin(steps.join('.'), stored);
  };

  test.each(importableTypes)('%s', async (type) => {
    const clinic = await openClinic(createMemoryStore());
    const withPaths = new Set<string>();
    const notePaths = (value: unknown, path: string): void => {
      withPaths.add(path);
      if (typeof value !== 'object' || value === null) return;
      for (const [name, part] of Object.entries(value))
        notePaths(part, Array.isArray(value) ? path : `${path}.${name}`);
    };
    let number = 0;
    await fc.assert(
      fc.asyncProperty(importableResources(type), async (generated) => {
        number += 1;
        const resource = withNumber(generated, number);
        const id = `r${number}`;
        const subject = { reference: `Patient/${id}` };
        const sent = type === 'CareTeam' ? { ...resource, id: `team${number}`, subject } : resource;
        notePaths(sent, type);
        const report = await clinic.records.importer.load(
          type === 'CareTeam' ? [sourcePatient(id), textOf(sent)] : [textOf(sent)],
        );
        expect([report.imported[type], report.issues]).toEqual([1, []]);
        const read = await readBack(clinic, { type, id, sent });
        expect(read.text).toSatisfy(hasSentDigits);
        const values = lostValues(sent, read, type);
        const paths = values
          .filter(({ path, value }) => isUnique(value) || !isWithin(path, otherForms))
          .map(({ path }) => path);
        const counted = Object.keys(report.lostElements);
        expect(paths.filter((path) => !isWithin(path, counted))).toEqual([]);
        expect(counted.filter((name) => !values.some(({ path }) => isWithin(path, [name])))).toEqual([]);
        expect(paths.filter((path) => !isDocumented(path))).toEqual([]);
      }),
      { numRuns: 150, seed: 7 },
    );
    const without = pathsOf(type).filter((path) => !withPaths.has(path));
    expect(without.filter((path) => !neverImported.includes(path))).toEqual([]);
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
      sourceImmunization('amy', { doseQuantity: { value: 'much', unit: 'mg' } }),
    ]);
    expect([report.warningsByRule, report.lostElements]).toEqual([
      { 'left-out': 1 },
      { 'Immunization.doseQuantity.value': 1 },
    ]);
  });

  test('a note is compared with itself, in whatever order the notes are sent', async () => {
    const note = [
      { text: 'Better', time: '2026-02-01', authorString: 'A niece' },
      { text: 'Begun', time: '2026-01-01' },
    ];
    expect(await load(sourceGoal('amy', { note }))).toEqual({});
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

  test('a resource that exists is counted as it was when it was imported', async () => {
    const goal = sourceGoal('amy', { language: 'en' });
    await load(goal);
    expect(await load(goal)).toEqual({ 'Goal.language': 1 });
  });

  test('a source that makes up names gets a thousand of them counted', async () => {
    const made = Array.from({ length: 1_500 }, (_, at) => [`name${at}`, 1] as const);
    expect(Object.keys(await load(sourceGoal('amy', Object.fromEntries(made))))).toHaveLength(1_000);
  });
});
