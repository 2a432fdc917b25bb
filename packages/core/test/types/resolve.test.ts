import { expectTypeOf, test } from 'vitest';
import type { ChartCommand, Resolver } from '../../src/index.ts';

test('resolve returns an entry of the requested type', () => {
  const resolvers = (): readonly Resolver[] => [
    { Patient: (id) => ({ id, lastName: 'Shaw', firstName: null }) },
    { Encounter: async (id) => ({ id, patientId: '7', noteId: null }), Note: () => null },
    // @ts-expect-error a patient has a last name
    { Patient: (id) => ({ id, name: 'Shaw' }) },
    // @ts-expect-error an encounter has a patient
    { Encounter: async (id) => ({ id, lastName: 'Shaw' }) },
    // @ts-expect-error no type of the directory
    { Location: (id: string) => ({ id, name: 'Ward' }) },
  ];
  expectTypeOf(resolvers).returns.toExtend<readonly Resolver[]>();
});

test('the kind of a command is a kind that the chart accepts', () => {
  const isClosed = ({ kind }: ChartCommand) => kind === 'closeGoal';
  // @ts-expect-error no kind of a command
  const isReopened = ({ kind }: ChartCommand) => kind === 'reopenGoal';
  expectTypeOf(isClosed).parameters.toEqualTypeOf<Parameters<typeof isReopened>>();
});
