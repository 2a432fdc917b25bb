import { expectTypeOf, test } from 'vitest';
import type { ChartCommand, Resolver, TransactionConnection } from '../../src/index.ts';

type Client = { readonly find: (id: string) => Promise<{ readonly id: string; readonly patientId: string }> };

test('resolve returns an entry of the requested type', () => {
  const resolvers = (): readonly Resolver[] => [
    { Patient: (id) => ({ id, lastName: 'Shaw', firstName: null }) },
    { Encounter: async (id) => ({ id, patientId: '7', noteId: null }), Note: () => null },
    // @ts-expect-error a patient has a last name
    { Patient: (id) => ({ id, name: 'Shaw' }) },
    // @ts-expect-error an encounter has a patient
    { Encounter: async (id) => ({ id, lastName: 'Shaw' }) },
    {
      Encounter: async (id, connection?: TransactionConnection<Client>) =>
        (await connection?.transaction.find(id)) ?? null,
    },
    (_type, id, connection: TransactionConnection<Client> | undefined) => connection?.transaction.find(id),
    {
      Encounter: async (id, connection) => {
        const { rows = [] } =
          (await connection?.query('select patient from visits where id = ?', [id])) ?? {};
        return rows.length === 0 ? null : { id, patientId: String(rows[0]?.['patient']) };
      },
    },
    // @ts-expect-error outside of a transaction there is no connection
    { Encounter: (id, connection: TransactionConnection<Client>) => connection.transaction.find(id) },
    // @ts-expect-error the transaction itself is a property of the connection
    { Encounter: async (id, client?: Client) => (await client?.find(id)) ?? null },
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
