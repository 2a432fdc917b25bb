import type { ClinicalStore, Commit } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { statement } from '../../builders.ts';
import { createRecords, openClinic } from '../../clinic.ts';
import { idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { sourceGoal, sourceImmunization, sourceOrder, sourcePatient } from './source-resources.ts';

const system = 'urn:x:registry';
const identifier = [{ system, value: 'A-1' }];
const dose = (id: string, rest: object = {}) => sourceImmunization('amy', { id, identifier, ...rest });
const goal = (id: string, rest: object = {}) => sourceGoal('amy', { id, identifier, ...rest });
const order = (id: string, rest: object = {}) => sourceOrder('amy', { id, identifier, ...rest });
const { vaccineCode, occurrenceDateTime } = sourceImmunization('amy');
const event = { vaccineCode, occurrenceDateTime } as const;
const known = (name: string) =>
  `The patient already has a resource with this identifier, so it was not imported again. It is ${name}.`;

onEveryStore('Decisions: Import', (clinic) => {
  const load = async (...resources: readonly object[]) => {
    const report = await clinic().records.importer.load(resources);
    const { imported, unchanged, issues, warnings } = report;
    return { imported, unchanged, problems: [...issues, ...warnings] };
  };
  const idsIn = async (type: string) => idsOf(await clinic().get(`/${type}?patient=amy&_count=100`));

  test.each([
    ['Immunization', dose],
    ['Goal', goal],
    ['ServiceRequest', order],
  ] as const)(
    'A goal, an order or an immunization is also known by its business identifier: %s',
    async (type, resource) => {
      expect((await load(resource('one'))).imported).toEqual({ [type]: 1 });
      const again = await load(resource('two'));
      expect(again).toEqual({
        imported: {},
        unchanged: { [type]: 1 },
        problems: [
          {
            ...{ type, id: 'two', item: 1, outcome: 'unchanged', severity: 'warning' },
            ...{ rule: 'known-identifier', expression: `${type}.identifier[0]` },
            message: known(`${type}/one`),
          },
        ],
      });
      expect(await idsIn(type)).toEqual(['one']);
      expect(await load(resource('two'))).toEqual(again);
    },
  );

  describe('A record is the same if it also agrees in the event: a dose in the vaccine and the date, an order in the code and the date, a goal in the description', () => {
    const cvx = { system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza' };
    const ndc = { system: 'http://hl7.org/fhir/sid/ndc', code: '1-2' };
    const loinc = { system: 'http://loinc.org', code: '718-7' };
    test.each<[what: string, one: object, same: object]>([
      ['a dose at a less precise date', dose('one'), dose('two', { occurrenceDateTime: '2012' })],
      [
        'a dose at a time of that day',
        dose('one'),
        dose('two', { occurrenceDateTime: '2012-02-08T10:00:00Z' }),
      ],
      [
        'a vaccine with a coding in common',
        dose('one', { vaccineCode: { coding: [cvx, ndc] } }),
        dose('two', { vaccineCode: { coding: [ndc], text: 'Flu' } }),
      ],
      [
        'a vaccine of the same name',
        dose('one', { vaccineCode: { text: 'influenza' } }),
        dose('two', { vaccineCode: { coding: [cvx] } }),
      ],
      [
        'an order',
        order('one', { code: { coding: [ndc], text: 'Hb' }, authoredOn: '2026-02-01T10:00:00.000Z' }),
        order('two', { code: { coding: [loinc], text: 'HB' } }),
      ],
      [
        'a goal',
        goal('one', { description: { text: 'Walk', coding: [ndc] } }),
        goal('two', { description: { text: 'Walk more', coding: [ndc] } }),
      ],
    ])(
      'Dates are compared as precisely as the less precise one, and codes by any coding, further coding or text: %s',
      async (_what, one, same) => {
        await load(one);
        const report = await load(same);
        expect([report.imported, report.problems.map(({ rule }) => rule)]).toEqual([
          {},
          ['known-identifier'],
        ]);
      },
    );

    test.each<[what: string, one: object, other: object]>([
      ['another vaccine', dose('one'), dose('two', { vaccineCode: { text: 'Measles' } })],
      [
        'another date and number of the dose',
        dose('one', { protocolApplied: [{ doseNumberPositiveInt: 1 }] }),
        dose('two', { protocolApplied: [{ doseNumberPositiveInt: 2 }], occurrenceDateTime: '2012-05-08' }),
      ],
      ['another order', order('one'), order('two', { code: { text: 'Hb' } })],
      ['an order of another day', order('one'), order('two', { authoredOn: '2026-02-02' })],
      ['another goal', goal('one'), goal('two', { description: { text: 'Swim' } })],
    ])(
      'Another record is imported, and a warning names the one with its identifier: %s',
      async (_what, one, other) => {
        await load(one);
        const { resourceType: type } = one as { resourceType: string };
        const report = await load(other);
        expect(report.imported).toEqual({ [type]: 1 });
        expect(report.problems).toMatchObject([
          { severity: 'warning', outcome: 'imported', rule: 'shared-identifier' },
        ]);
        expect(report.problems[0]?.message).toContain(`It is ${type}/one.`);
        expect(await idsIn(type)).toEqual(['one', 'two']);
      },
    );

    test('If nothing but the date of a dose differs, it may be a correction or a second dose, and is refused', async () => {
      await load(dose('one', { lotNumber: 'L' }));
      const report = await load(dose('two', { lotNumber: 'L', occurrenceDateTime: '2012-05-08' }));
      expect(report).toMatchObject({
        ...{ imported: {}, unchanged: {} },
        problems: [{ severity: 'error', outcome: 'rejected', rule: 'identifier-at-another-date', id: 'two' }],
      });
      expect(report.problems[0]?.message).toContain('It is Immunization/one.');
      expect(await idsIn('Immunization')).toEqual(['one']);
    });
  });

  test('It is known, however it was recorded', async () => {
    const { id } = await clinic().records.immunizations.create(statement({ ...event, identifier }));
    const command = { kind: 'goal', patientId: 'amy', description: 'Walk', identifier } as const;
    const { resourceId } = await clinic().records.chart.record(command, { by: 'Practitioner/ada' });
    const { problems } = await load(dose('one'), goal('two'));
    expect(problems.map(({ message }) => message)).toEqual([
      expect.stringContaining(`It is Immunization/${id}.`),
      expect.stringContaining(`It is Goal/${resourceId}.`),
    ]);
    expect([await idsIn('Immunization'), await idsIn('Goal')]).toEqual([[id], [resourceId]]);
  });

  test('So it is within one load: the resource that comes first is imported', async () => {
    const others = Array.from({ length: 600 }, (_, index) =>
      goal(`g${index}`, { identifier: [{ system, value: `${index}` }] }),
    );
    const report = await load(
      dose('one'),
      dose('two'),
      ...others,
      dose('three'),
      goal('g', { identifier: [{ system, value: '7' }] }),
    );
    expect(report).toMatchObject({
      imported: { Immunization: 1, Goal: 600 },
      unchanged: { Immunization: 2, Goal: 1 },
    });
    expect(report.problems.map(({ id, message }) => [id, message])).toEqual([
      ['two', known('Immunization/one')],
      ['three', known('Immunization/one')],
      ['g', known('Goal/g7')],
    ]);
    expect(await idsIn('Immunization')).toEqual(['one']);
    const repeated = await load(dose('one'), dose('two'), ...others, dose('three'));
    expect(repeated).toMatchObject({ imported: {}, unchanged: { Immunization: 3, Goal: 600 } });
  });

  test('A warning names the record, and the elements whose content the record lacks', async () => {
    await load(
      dose('one', { meta: { tag: [{ code: 'a' }] }, lotNumber: 'L1', occurrenceDateTime: '2012-02-08' }),
    );
    const differing = {
      ...{ lotNumber: 'L2', site: { text: 'arm' }, language: 'en' },
      meta: { versionId: '7', tag: [{ code: 'b' }] },
    };
    const { problems } = await load(dose('two', differing));
    const names = ['lotNumber', 'site', 'language', 'meta.tag'].map((name) => `Immunization.${name}`);
    expect(problems.map(({ message }) => message)).toEqual([
      `${known('Immunization/one')} It does not have what was sent in ${names.join(', ')}.`,
    ]);
  });

  test('a decimal that is the same is not named, and another one is', async () => {
    const withDose = (id: string, value: string) =>
      JSON.stringify(dose(id, { doseQuantity: { value: 12.25 } })).replace('12.25', value);
    const sent = [withDose('one', '0.50'), withDose('two', '0.50'), withDose('three', '0.75')];
    const { warnings } = await clinic().records.importer.load(sent);
    expect(warnings.map(({ message }) => message)).toEqual([
      known('Immunization/one'),
      `${known('Immunization/one')} It does not have what was sent in Immunization.doseQuantity.value.`,
    ]);
  });

  test('of a resource that makes up elements, the warning names ten', async () => {
    await load(dose('one'));
    const made = Array.from({ length: 50 }, (_, index) => [`name${index}`, 1] as const);
    const { problems } = await load(dose('two', Object.fromEntries(made)));
    expect(problems[0]?.message).toMatch(/Immunization.name9 and more\.$/);
  });

  test('a resource that shares several identifiers with a record is one warning', async () => {
    const both = { identifier: [...identifier, { system, value: 'B-1' }] };
    await load(dose('one', both), dose('other', { identifier: [{ system, value: 'C-1' }] }));
    expect((await load(dose('two', both))).problems).toHaveLength(1);
    const all = { identifier: [...both.identifier, { system, value: 'C-1' }] };
    expect((await load(dose('three', all))).problems.map(({ message }) => message)).toEqual([
      expect.stringContaining('It is Immunization/one.'),
      expect.stringContaining('It is Immunization/other.'),
    ]);
  });

  test.each<readonly [string, readonly unknown[]]>([
    ['without a system', [{ value: 'A-1' }]],
    ['without a value', [{ system }]],
    ['with an empty value', [{ system, value: '' }]],
    ['that is not an object', ['A-1']],
  ])('An identifier %s does not count', async (_, sent) => {
    await load(dose('one', { identifier: sent }), dose('two', { identifier: sent }));
    expect(await idsIn('Immunization')).toEqual(['one', 'two']);
  });

  test('nor does the one of a resource of another type, or of another system', async () => {
    const { imported } = await load(
      dose('one'),
      goal('two'),
      order('three'),
      dose('four', { identifier: [{ system: 'urn:x:other', value: 'A-1' }] }),
    );
    expect(imported).toEqual({ Immunization: 2, Goal: 1, ServiceRequest: 1 });
  });

  test('A record that is entered in error does not count', async () => {
    const wrong = { status: 'entered-in-error' };
    expect((await load(dose('wrong', wrong), dose('right'))).imported).toEqual({ Immunization: 2 });
    await clinic().records.chart.enterInError('Immunization/right/0', { by: 'Practitioner/ada' });
    expect((await load(dose('new'))).imported).toEqual({ Immunization: 1 });
    expect(await load(dose('newer'))).toMatchObject({ problems: [{ message: known('Immunization/new') }] });
  });

  test('A resource that is entered in error is imported beside the record with its identifier, and a warning names the record', async () => {
    await load(dose('one'));
    expect(await load(dose('two', { status: 'entered-in-error' }))).toMatchObject({
      imported: { Immunization: 1 },
      problems: [
        {
          ...{ outcome: 'imported', severity: 'warning', rule: 'retracted-identifier' },
          message: expect.stringMatching(/ It is Immunization\/one\.$/),
        },
      ],
    });
    expect((await clinic().records.immunizations.read('one')).status).toBe('completed');
  });

  test('If a record in the chart of another patient has the identifier, the resource is refused', async () => {
    const ofBen = (id: string, rest: object = {}) => sourceImmunization('ben', { id, identifier, ...rest });
    await load(dose('one'));
    const { imported, problems } = await load(ofBen('two'), dose('three'));
    expect(imported).toEqual({});
    expect(problems).toEqual([
      {
        ...{ type: 'Immunization', id: 'two', item: 1, outcome: 'rejected', severity: 'error' },
        ...{ rule: 'identifier-of-another-patient', expression: 'Immunization.identifier[0]' },
        message: 'A resource of another patient already has this identifier.',
      },
      expect.objectContaining({ id: 'three', rule: 'known-identifier' }),
    ]);
    expect((await load(ofBen('wrong', { status: 'entered-in-error' }))).imported).toEqual({
      Immunization: 1,
    });
  });

  test('two charts of one load cannot have it either', async () => {
    const { imported, problems } = await load(
      dose('one'),
      sourceImmunization('ben', { id: 'two', identifier }),
    );
    expect(imported).toEqual({ Immunization: 1 });
    expect(problems).toMatchObject([{ id: 'two', rule: 'identifier-of-another-patient' }]);
  });
});

test('the first resource of an empty store can have an identifier', async () => {
  const { importer } = createRecords(createMemoryStore());
  const report = await importer.load([dose('one'), dose('two'), sourcePatient('amy')]);
  expect(report).toMatchObject({
    imported: { Patient: 1, Immunization: 1 },
    unchanged: { Immunization: 1 },
    issues: [],
  });
});

/** Records on a store in which something happens after an import has decided, before it commits. */
const importWhile = async (
  meanwhile: (records: Awaited<ReturnType<typeof openClinic>>['records']) => Promise<unknown>,
  mostTimes = 1,
) => {
  const store = createMemoryStore();
  const { records } = await openClinic(store);
  let times = 0;
  const hasDose = ({ changes }: Commit) => changes.some(({ type }) => type === 'Immunization');
  const interrupted: ClinicalStore = {
    ...store,
    commit: async (commit) => {
      if (hasDose(commit) && times < mostTimes) {
        times += 1;
        await meanwhile(records);
      }
      return store.commit(commit);
    },
  };
  const clinic = await openClinic(interrupted);
  const { importer } = clinic.records;
  const find = async () => {
    const { entry = [] } = await records.immunizations.search({ identifier: `${system}|A-1` });
    return entry.map(({ resource }) => resource.id);
  };
  return {
    clinic,
    load: (...resources: readonly object[]) => importer.load(resources),
    find,
    times: () => times,
  };
};

const condition = { ifNoneExist: `identifier=${system}|A-1` };

test('a POST under a condition while an import goes on records the immunization only once', async () => {
  const { load, find, times } = await importWhile((records) =>
    records.immunizations.create(statement({ ...event, identifier }), condition),
  );
  const { imported, unchanged } = await load(dose('one'), dose('other', { identifier: [] }));
  expect([times(), imported, unchanged]).toEqual([1, { Immunization: 1 }, { Immunization: 1 }]);
  expect(await find()).toHaveLength(1);
});

test('an import while a POST under a condition goes on records the immunization only once', async () => {
  const { clinic, find, times } = await importWhile((records) => records.importer.load([dose('one')]));
  const { id } = await clinic.records.immunizations.create(statement({ ...event, identifier }), condition);
  expect([times(), id, await find()]).toEqual([1, 'one', ['one']]);
});

test('two imports at the same moment record an immunization once', async () => {
  const { load, find, times } = await importWhile((records) => records.importer.load([dose('one')]));
  const { unchanged } = await load(dose('two'), dose('other', { identifier: [] }));
  expect([times(), unchanged, await find()]).toEqual([1, { Immunization: 1 }, ['one']]);
});

test('so do imports that keep getting in the way, until each resource is committed by itself', async () => {
  let number = 0;
  const other = () => dose(`o${number}`, { identifier: [{ system, value: `O-${number}` }] });
  const { load, find, times } = await importWhile(async (records) => {
    number += 1;
    await records.importer.load([number === 4 ? dose('one') : other()]);
  }, 4);
  const mine = dose('mine', { identifier: [{ system, value: 'M-1' }] });
  const { imported, unchanged } = await load(dose('two'), mine);
  expect([times(), imported, unchanged]).toEqual([4, { Immunization: 1 }, { Immunization: 1 }]);
  expect(await find()).toEqual(['one']);
});
