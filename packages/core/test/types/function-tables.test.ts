import { expectTypeOf, test } from 'vitest';
import type { AccessOptions } from '../../src/access/access.ts';
import { anything, callback, id, text } from '../../src/forms.ts';
import type { FunctionTable } from '../../src/open-service.ts';

type Service = {
  readonly read: (id: string, options?: AccessOptions) => Promise<string>;
  readonly create: (body: unknown, options?: AccessOptions) => Promise<string>;
  readonly all: (options?: AccessOptions) => AsyncGenerator<string>;
  readonly erase: (erasure: { readonly id: string; readonly by: string }) => Promise<string>;
  readonly end: () => Promise<string>;
  readonly describe: () => object;
  readonly asJson: { readonly read: (id: string, options?: AccessOptions) => Promise<string> };
};

const options = { by: text, onReturn: callback, onDeny: callback };
const access = { interaction: 'read', type: null } as const;

const read = { kind: 'read', takes: [id], options, access } as const satisfies FunctionTable<Service>['read'];

const create = {
  kind: 'write',
  takes: [anything],
  options,
  access: (_, user) => ({ ...access, user }),
} as const satisfies FunctionTable<Service>['create'];

const table: FunctionTable<Service> = {
  read,
  create,
  all: { kind: 'stream', takes: [], options, access },
  erase: { kind: 'write', takes: [anything], access: (user) => ({ ...access, user }) },
  end: { kind: 'read', takes: [] },
  describe: { kind: 'pure', takes: [] },
  asJson: { read },
};

test('a forgotten function does not compile, nor does one that the service does not have', () => {
  const { create: _, ...withoutWrite } = table;
  // @ts-expect-error there is no `create`
  const lacksWrite: FunctionTable<Service> = withoutWrite;
  // @ts-expect-error there is no `asJson.read`
  const lacksJson: FunctionTable<Service> = { ...table, asJson: {} };
  // @ts-expect-error a misspelt function is not one of the service
  const misspelt: FunctionTable<Service> = { ...table, creat: create };
  expectTypeOf([lacksWrite, lacksJson, misspelt]).toBeArray();
});

test('a kind that is misspelt, or that the type of the function does not allow, does not compile', () => {
  // @ts-expect-error there is no such kind
  const misspelt: FunctionTable<Service>['end'] = { kind: 'writes', takes: [] };
  // @ts-expect-error a function that returns a promise is not pure
  const pure: FunctionTable<Service>['end'] = { kind: 'pure', takes: [] };
  // @ts-expect-error an iteration is a stream
  const stream: FunctionTable<Service>['all'] = { ...table.all, kind: 'read' };
  expectTypeOf([misspelt, pure, stream]).toBeArray();
});

test('a function that can name a user says how it is reported, also beside a body of an unknown type', () => {
  // @ts-expect-error it has a `by`, and no access
  const unreported: FunctionTable<Service>['create'] = { kind: 'write', takes: [anything], options };
  const onPurpose: FunctionTable<Service>['create'] = { ...unreported, access: null };
  // @ts-expect-error it cannot name a user
  const ofNobody: FunctionTable<Service>['end'] = { kind: 'read', takes: [], access };
  expectTypeOf([unreported, onPurpose, ofNobody]).toBeArray();
});

test('a forgotten option or argument does not compile', () => {
  // @ts-expect-error `onReturn` is an option, too
  const lacksOption: FunctionTable<Service>['read'] = { ...read, options: { by: text } };
  // @ts-expect-error there is no such option
  const misspelt: FunctionTable<Service>['read'] = { ...read, options: { ...options, reasn: text } };
  // @ts-expect-error it takes an id
  const lacksArgument: FunctionTable<Service>['read'] = { ...read, takes: [] };
  expectTypeOf([lacksOption, misspelt, lacksArgument]).toBeArray();
});
