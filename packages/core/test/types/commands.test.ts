import { expectTypeOf, test } from 'vitest';
import type {
  ChartCommandInput,
  ClinicalRecords,
  ClinicalRecordsOptions,
  GoalCommand,
  ImmunizationCommand,
  OrderCommand,
} from '../../src/index.ts';

/** Accepts the commands that the chart accepts, for the compiler. */
const accept = (command: ChartCommandInput): ChartCommandInput => command;

test('the kind of a command determines its other properties', () => {
  expectTypeOf<
    Extract<ChartCommandInput, { kind: 'immunize' | 'immunizationStatement' }>
  >().toEqualTypeOf<ImmunizationCommand>();
  expectTypeOf<
    Extract<ChartCommandInput, { kind: 'labOrder' | 'referral' | 'imagingOrder' }>
  >().toEqualTypeOf<OrderCommand>();
  expectTypeOf<Extract<GoalCommand, { kind: 'goal' }>>().toHaveProperty('description').toBeString();
  expectTypeOf<Extract<GoalCommand, { kind: 'closeGoal' }>>().not.toHaveProperty('priority');
});

test('a goal needs a text', () => {
  accept({ kind: 'goal', patientId: '7', description: 'Walk 5 km a day' });
  // @ts-expect-error there is none
  accept({ kind: 'goal', patientId: '7' });
});

test('an update names its goal, but not a patient', () => {
  accept({ kind: 'updateGoal', goalId: '1', dueDate: null });
  // @ts-expect-error it names none
  accept({ kind: 'updateGoal', dueDate: null });
  // @ts-expect-error the goal has its patient
  accept({ kind: 'updateGoal', goalId: '1', patientId: '7' });
});

test('constant values of a host are accepted as they are', () => {
  const coding = [{ system: 'http://loinc.org', code: '2093-3' }] as const;
  const reasonConditionIds: readonly string[] = ['1'];
  accept({ kind: 'labOrder', patientId: '7', code: { coding }, reasonConditionIds });
  const vaccineCode = { coding: [{ system: 'unstructured', code: 'x' }] } as const;
  const shot = { kind: 'immunize', patientId: '7', vaccineCode, occurrenceDateTime: '2026' } as const;
  accept({ ...shot, note: [{ text: 'Left arm.' }] as const });
  accept({
    ...shot,
    performer: [{ actor: { reference: 'Practitioner/12' } }],
    doseQuantity: { value: 0.5 },
  } as const);
  accept({ kind: 'updateGoal', goalId: '1', priority: 'high-priority' } as const);
});

test('an author is a reference, and in the chart one to a practitioner', () => {
  const write = ({ chart, careTeams }: ClinicalRecords) => [
    chart.commit('Goal/walk/0', { by: 'Practitioner/12' }),
    careTeams.removeAllParticipants('7', { by: 'Device/lab' }),
    // @ts-expect-error an id
    chart.commit('Goal/walk/0', { by: '12' }),
    // @ts-expect-error not a practitioner
    chart.commit('Goal/walk/0', { by: 'Device/lab' }),
    // @ts-expect-error an id
    careTeams.removeAllParticipants('7', { by: '12' }),
  ];
  expectTypeOf(write).toBeFunction();
});

test('a value outside a value set cannot be written', () => {
  accept({ kind: 'closeGoal', goalId: '1', achievementStatus: 'achieved' });
  // @ts-expect-error no achievement status of the interface
  accept({ kind: 'closeGoal', goalId: '1', achievementStatus: 'done' });
  // @ts-expect-error no kind of a command
  accept({ kind: 'reopenGoal', goalId: '1' });
});

test('the options of createClinicalRecords require only a store, a namespace and roles', () => {
  type Needed = {
    [Name in keyof ClinicalRecordsOptions as undefined extends ClinicalRecordsOptions[Name]
      ? never
      : Name]: 0;
  };
  expectTypeOf<keyof Needed>().toEqualTypeOf<'store' | 'extensionBase' | 'careTeamRoles'>();
});

test('a role is sent as it is configured, or by its system and code', () => {
  const write = ({ careTeams }: ClinicalRecords) => {
    const set = (role: { system: string; code: string }) =>
      careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', { role });
    return [
      set({ system: 'urn:roles', code: 'nurse' }),
      careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', {
        role: { system: 'urn:roles', code: 'nurse', display: 'Nurse' },
      }),
    ];
  };
  expectTypeOf(write).toBeFunction();
});
