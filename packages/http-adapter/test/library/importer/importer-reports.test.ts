import { ndjson } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage } from '../host/create-loader.ts';
import {
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
  sourcePractitioner,
} from './source-resources.ts';

const order = sourceOrder('amy');
const goal = sourceGoal('amy');
const immunization = sourceImmunization('amy');

/** The issue of resources that are imported anyway. */
onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);

  test('A reference to a practitioner or a condition, or a code, that cannot be kept is left out and reported. So is a `statusReason` of a dose that was given', async () => {
    const report = await load(
      { ...goal, priority: { text: 'high' }, expressedBy: { reference: '#p' } },
      { ...order, reasonReference: [{ reference: '#c' }] },
      { ...immunization, status: 'not-done', statusReason: { text: 'allergic' } },
      { ...immunization, id: 'j', statusReason: { coding: [{ code: 'PATOBJ' }] } },
    );
    expect(report).toEqual({
      imported: { Goal: 1, ServiceRequest: 1, Immunization: 2 },
      problems: [
        `g: Goal.priority: ${leftOutMessage}`,
        `g: Goal.expressedBy: ${leftOutMessage}`,
        `s: ServiceRequest.reasonReference[0]: ${leftOutMessage}`,
        `i: Immunization.statusReason: ${leftOutMessage}`,
        `j: Immunization.statusReason: ${leftOutMessage}`,
      ],
    });
  });

  test('Parts that were left out of an existing resource are reported again, so that a repeated import reports everything', async () => {
    const gone = { reference: 'Practitioner/gone' };
    const all = [
      { ...goal, priority: { text: 'high' }, expressedBy: gone },
      { ...order, reasonReference: [{ reference: '#c' }], requester: gone },
      { ...immunization, status: 'not-done', statusReason: { text: 'allergic' } },
    ];
    const { problems } = await load(...all);
    expect(problems.toSorted()).toEqual([
      'g: Goal.expressedBy: There is no such practitioner.',
      `g: Goal.priority: ${leftOutMessage}`,
      `i: Immunization.statusReason: ${leftOutMessage}`,
      `s: ServiceRequest.reasonReference[0]: ${leftOutMessage}`,
      's: ServiceRequest.requester: There is no such practitioner.',
    ]);
    const again = await load(...all);
    expect([again.imported, again.problems.toSorted()]).toEqual([{}, problems.toSorted()]);
    const gray = sourcePractitioner('gone', 'Gray');
    expect((await load(...all, gray)).problems).toHaveLength(3);
  });

  test('A patient whose death cannot be read, such as at a time without seconds, is imported as deceased and reported', async () => {
    const died = sourcePatient('eve', 'Hill', { deceasedDateTime: '2026-01-02T03:04' });
    const alive = sourcePatient('eva', 'Shaw', { deceasedBoolean: false });
    expect(await load(died, alive)).toEqual({
      imported: { Patient: 2 },
      problems: [
        'eve: Patient.deceasedDateTime: The element that says when the patient died cannot be read. The patient was imported as deceased.',
      ],
    });
    const { directory } = clinic().records;
    const [eve, eva] = [await directory.read('Patient', 'eve'), await directory.read('Patient', 'eva')];
    expect([eve?.deceased, eva?.deceased]).toEqual([true, false]);
  });

  test('A patient whom the source has replaced with another record is imported and reported', async () => {
    const link = [{ type: 'replaced-by', other: { reference: 'Patient/amy' } }];
    expect(await load(sourcePatient('eve', 'Hill', { link }))).toEqual({
      imported: { Patient: 1 },
      problems: [
        'eve: Patient.link: The source system has replaced this record with another. It was imported anyway.',
      ],
    });
  });

  test('So is a patient or an organization that the source no longer uses', async () => {
    const report = await load(sourcePatient('eve', 'Hill', { active: false }), {
      resourceType: 'Organization',
      id: 'ward',
      name: 'Ward 3',
      active: false,
    });
    const inactiveMessage = 'The source system has marked the record as inactive. It was imported anyway.';
    expect(report).toEqual({
      imported: { Patient: 1, Organization: 1 },
      problems: [`eve: Patient.active: ${inactiveMessage}`, `ward: Organization.active: ${inactiveMessage}`],
    });
  });

  test('An order has one category, and a goal one achievement status and one priority: of several, the first counts, and each other one is left out and reported', async () => {
    const coding = (code: string) => ({ coding: [{ system: 'http://snomed.info/sct', code }] });
    const [evaluation, laboratory] = ['386053000', '108252007'];
    const report = await load(
      { ...order, category: [coding(laboratory), coding(evaluation)] },
      {
        ...goal,
        target: [{ dueDate: '2027-01-01' }, { dueDate: '2026-03-01' }],
        achievementStatus: { coding: [{ code: 'improving' }, { code: 'worsening' }] },
        priority: { coding: [{ code: 'high-priority' }, { code: 'low-priority' }] },
      },
    );
    expect(report).toEqual({
      imported: { Goal: 1, ServiceRequest: 1 },
      problems: [
        `s: ServiceRequest.category[1].coding[0]: ${leftOutMessage}`,
        `g: Goal.achievementStatus.coding[1]: ${leftOutMessage}`,
        `g: Goal.priority.coding[1]: ${leftOutMessage}`,
      ],
    });
    const { serviceRequests, goals } = clinic().records;
    const ordersOf = (category: string) =>
      Promise.resolve(serviceRequests.search(Object.entries({ patient: 'amy', category }))).then(
        ({ total }) => total,
      );
    expect(await Promise.all([laboratory, evaluation].map(ordersOf))).toEqual([1, 0]);
    expect(await goals.read('g')).toMatchObject({
      target: [{ dueDate: '2027-01-01' }],
      achievementStatus: { coding: [{ code: 'improving' }] },
      priority: { coding: [{ code: 'high-priority' }] },
    });
  });

  test('A text that is not valid UTF-8, or is too long, is reported with its place, and all other resources are imported', async () => {
    const line = (resource: object) => `${JSON.stringify(resource)}\n`;
    const bytes = Buffer.concat([
      Buffer.from(line(sourcePatient('eve'))),
      Buffer.from(line(sourcePatient('ole', 'Ångström')), 'latin1'),
      Buffer.from(line(sourcePatient('joe', 'x'.repeat(300)))),
      Buffer.from(line(sourcePatient('pia', 'Ångström'))),
    ]);
    const lines = ndjson([bytes.subarray(0, 100), bytes.subarray(100)], { longestLine: 200 });
    expect(await clinic().records.importer.load(lines)).toMatchObject({
      imported: { Patient: 2 },
      issues: [
        {
          type: '',
          id: '',
          item: 2,
          line: 2,
          rule: 'invalid-utf-8',
          message: 'The text is not valid UTF-8.',
        },
        { type: '', id: '', item: 3, line: 3, rule: 'too-long', message: 'The text is too long.' },
      ],
    });
  });
});
