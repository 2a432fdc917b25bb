import { expectTypeOf, test } from 'vitest';
import type {
  AuthorReference,
  CareTeam,
  ChangeCause,
  ClinicalRecordsOptions,
  Goal,
  HostRule,
  Immunization,
} from '../../src/index.ts';

type Rules = NonNullable<ClinicalRecordsOptions['rules']>;

test('a rule gets the resource of its type, and reads those of the others', () => {
  const rules: Rules = {
    Goal: async ({ before, after, by, at, cause, patientId, chart }) => {
      expectTypeOf(before).toEqualTypeOf<Goal | null>();
      expectTypeOf(after).toEqualTypeOf<Goal>();
      expectTypeOf(by).toEqualTypeOf<AuthorReference | null>();
      expectTypeOf(at).toEqualTypeOf<Date>();
      expectTypeOf(cause).toEqualTypeOf<ChangeCause>();
      expectTypeOf(patientId).toEqualTypeOf<string>();
      expectTypeOf(await chart.all('Immunization')).toEqualTypeOf<readonly Immunization[]>();
      expectTypeOf(await chart.read('CareTeam', '7')).toEqualTypeOf<CareTeam | null>();
      // @ts-expect-error a chart has no patients
      await chart.all('Patient');
      return [];
    },
    Immunization: [
      ({ after }) => (after.status === 'completed' ? [] : [{ rule: 'x', message: 'y', severity: 'warning' }]),
      { check: () => [], whenItFails: 'warn', mayBlockEnd: true },
    ],
  };
  expectTypeOf(rules).toExtend<Rules>();
});

test('a rule of any resource fits each type, and one of a resource only its own', () => {
  const any: HostRule = () => [];
  const ofDoses: HostRule<Immunization> = () => [];
  expectTypeOf({ Goal: any, Immunization: [any, ofDoses] }).toExtend<Rules>();
  expectTypeOf({ Goal: ofDoses }).not.toExtend<Rules>();
});

test('a type or a setting that does not exist, and an issue without a message, are refused', () => {
  expectTypeOf({ Goals: () => [] }).not.toExtend<Rules>();
  // @ts-expect-error an issue has a message
  const wordless: Rules = { Goal: () => [{ rule: 'x' }] };
  // @ts-expect-error there is no such setting
  const misspelt: Rules = { Goal: { check: () => [], mayBlockEnds: true } };
  expectTypeOf([wordless, misspelt]).toExtend<Rules[]>();
});
