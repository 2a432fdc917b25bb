import { expectTypeOf, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { condition } from '../../../../examples/conditions/condition.ts';
import type { HostType } from '../../src/define-resource.ts';
import type { takenNames } from '../../src/host-type/check-spec.ts';
import {
  type AnyClinicalRecords,
  type ClinicalRecords,
  type ClinicalRecordsOptions,
  type ClinicalStore,
  createClinicalRecords,
  type TransactionRecords,
} from '../../src/index.ts';

declare const options: {
  readonly store: ClinicalStore<'a connection'>;
  readonly extensionBase: string;
  readonly careTeamRoles: [];
};
const code = { text: 'Peanuts' };
const patient = { reference: 'Patient/7' } as const;

const open = () => createClinicalRecords({ ...options, types: [condition, allergy] });

test('without types, the records are what they were', () => {
  const records = () => createClinicalRecords(options);
  expectTypeOf(records).returns.toEqualTypeOf<ClinicalRecords<'a connection'>>();
  expectTypeOf(() => createClinicalRecords({ ...options, types: [] })).returns.toEqualTypeOf<
    ClinicalRecords<'a connection'>
  >();
});

test('a type has a service, whose resources, parameters and bodies are its own', async () => {
  const use = async () => {
    const records = open();
    const { reaction, criticality, resourceType } = await records.allergies.read('1');
    expectTypeOf(reaction?.[0]?.severity).toEqualTypeOf<'mild' | 'moderate' | 'severe' | undefined>();
    expectTypeOf(criticality).toEqualTypeOf<'low' | 'high' | 'unable-to-assess' | undefined>();
    expectTypeOf(resourceType).toEqualTypeOf<'AllergyIntolerance'>();
    await records.allergies.create({ code, patient }, { by: 'Practitioner/1', idempotencyKey: 'a' });
    await records.allergies.update('1', { id: '1', code, patient }, { ifMatch: [1] });
    await records.conditions.search({
      patient: '7',
      'clinical-status:not': 'active',
      _tag: 'a',
      _sort: 'code',
    });
    await records.conditions.search({ 'code:missing': true, 'recorded-date': ['ge2026', 'lt2027'] });
    // @ts-expect-error a code is required
    await records.allergies.create({ patient });
    // @ts-expect-error a misspelt element
    await records.allergies.create({ code, patient, criticalitty: 'low' });
    // @ts-expect-error a code that the type does not have
    await records.conditions.search({ 'clinical-status': 'over' });
    // @ts-expect-error a parameter that the type does not have
    await records.conditions.search({ severity: 'mild' });
    // @ts-expect-error conditions are only imported
    records.conditions.create;
  };
  expectTypeOf(use).returns.resolves.toBeVoid();
});

test('so have a transaction, a dry run, and the records in a transaction of the host', () => {
  const use = async () => {
    const records = open();
    const created = await records.transaction(async (tx) => {
      tx.write((connection) => expectTypeOf(connection).toEqualTypeOf<'a connection'>());
      return tx.allergies.create({ code, patient });
    });
    expectTypeOf(created.code).toEqualTypeOf<typeof created.code>();
    await records.dryRun((tx) => tx.allergies.create({ code, patient }));
    const inside = records.in({} as Parameters<typeof records.in>[0]);
    expectTypeOf(inside.allergies).toEqualTypeOf(records.allergies);
  };
  expectTypeOf(use).returns.resolves.toBeVoid();
});

test('rules judge them, and read them', () => {
  const use = () =>
    createClinicalRecords({
      ...options,
      types: [condition, allergy],
      rules: {
        AllergyIntolerance: async ({ after, before, chart }) => {
          expectTypeOf(after.criticality).toEqualTypeOf<'low' | 'high' | 'unable-to-assess' | undefined>();
          expectTypeOf(before?.resourceType).toEqualTypeOf<'AllergyIntolerance' | undefined>();
          const [one] = await chart.all('Condition');
          expectTypeOf(one?.resourceType).toEqualTypeOf<'Condition' | undefined>();
          const [goal] = await chart.all('Goal');
          expectTypeOf(goal?.resourceType).toEqualTypeOf<'Goal' | undefined>();
          // @ts-expect-error a type that the records do not have
          await chart.all('Observation');
          return [];
        },
        Goal: ({ after }) => (after.lifecycleStatus === 'active' ? [] : []),
      },
    });
  expectTypeOf(use).toBeFunction();
  expectTypeOf<NonNullable<ClinicalRecordsOptions['rules']>>().not.toHaveProperty('Condition');
});

test('feeds, exports, corrections and Provenances name the types, too', () => {
  const use = async () => {
    const records = open();
    for await (const change of records.changes())
      if (change.resourceType === 'AllergyIntolerance')
        expectTypeOf(change.resource?.criticality).toEqualTypeOf<
          'low' | 'high' | 'unable-to-assess' | undefined
        >();
    const { resources } = await records.exporter.begin({ types: ['Condition', 'Goal', 'Patient'] });
    for await (const { type } of resources) expectTypeOf<'Condition'>().toExtend<typeof type>();
    // @ts-expect-error a type that the records do not have
    await records.exporter.begin({ types: ['Observation'] });
    const why = { by: 'Practitioner/1', reason: 'Wrong chart.', toPatientId: '8', resourceId: 'a' } as const;
    await records.corrections.moveToPatient({ resourceType: 'Condition', ...why });
    // @ts-expect-error a team is moved only with its patient
    await records.corrections.moveToPatient({ resourceType: 'CareTeam', ...why });
    await records.provenance.search({ target: 'AllergyIntolerance/1' });
    const [target] = (await records.provenance.read('1')).target;
    expectTypeOf<'Condition'>().toExtend<NonNullable<typeof target>['type']>();
  };
  expectTypeOf(use).returns.resolves.toBeVoid();
});

test('the schemas of bodies and the description have the types, too', () => {
  const use = () => {
    const { bodies, describe } = open();
    const checked = bodies.AllergyIntolerance.create['~standard'].validate({});
    if (checked.issues === undefined)
      expectTypeOf(checked.value.criticality).toEqualTypeOf<
        'low' | 'high' | 'unable-to-assess' | undefined
      >();
    expectTypeOf(bodies.AllergyIntolerance.update).toHaveProperty('~standard');
    expectTypeOf(bodies.CareTeam.update).toHaveProperty('~standard');
    // @ts-expect-error conditions are only imported
    bodies.Condition.create;
    expectTypeOf(describe().resources.Condition.parameters).toEqualTypeOf(
      describe().resources.Goal.parameters,
    );
    // @ts-expect-error a type that the records do not have
    describe().resources.Observation;
  };
  expectTypeOf(use).toBeFunction();
});

test('the records of types go wherever records go', () => {
  expectTypeOf<ReturnType<typeof open>>().toExtend<AnyClinicalRecords>();
  expectTypeOf(allergy).toExtend<HostType>();
});

test('a type cannot have the name of anything that the records have', () => {
  expectTypeOf<(typeof takenNames)[number]>().toEqualTypeOf<
    keyof ClinicalRecords | keyof TransactionRecords | 'then'
  >();
});
