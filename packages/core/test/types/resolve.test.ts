import { expectTypeOf, test } from 'vitest';
import type { ChartCommand, Resolver } from '../../src/index.ts';

type Client = { readonly find: (id: string) => Promise<{ readonly id: string; readonly patientId: string }> };

test('resolve returns an entry of the requested type', () => {
  const resolvers = (): readonly Resolver[] => [
    { Patient: (id) => ({ id, lastName: 'Shaw', firstName: null }) },
    { Encounter: async (id) => ({ id, patientId: '7', noteId: null }), Note: () => null },
    // @ts-expect-error a patient has a last name
    { Patient: (id) => ({ id, name: 'Shaw' }) },
    // @ts-expect-error an encounter has a patient
    { Encounter: async (id) => ({ id, lastName: 'Shaw' }) },
    { Encounter: async (id, client?: Client) => (await client?.find(id)) ?? null },
    (_type, id, client: Client | undefined) => client?.find(id),
    // @ts-expect-error outside of a transaction there is no connection
    { Encounter: (id, client: Client) => client.find(id) },
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
