import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import type { Access, AccessOptions } from '../src/access/access.ts';
import { misuse, type Outcome, storeFailure } from '../src/errors.ts';
import { anything, callback, id, optional, text } from '../src/forms.ts';
import { type Door, type FunctionTable, openService } from '../src/open-service.ts';
import { type EithersOf, eitherOf } from '../src/outcome.ts';
import { searchParameters } from '../src/search/search-input.ts';

type Service = {
  readonly read: (id: string, options?: AccessOptions) => Promise<string>;
  readonly write: (body: unknown, options?: AccessOptions) => Promise<string>;
  readonly search: (parameters: object, options?: AccessOptions) => Promise<string>;
  readonly all: (parameters?: object, options?: AccessOptions) => AsyncGenerator<string, void>;
  readonly describe: (id?: string) => string;
  readonly asJson: { readonly write: (body: unknown) => Promise<string> };
};

const options = { by: text, onReturn: callback, onDeny: callback };
const access = { interaction: 'read', type: 'Goal' } as const;

const table: FunctionTable<Service> = {
  read: { kind: 'read', takes: [id], options, access },
  write: {
    kind: 'write',
    takes: [anything],
    options,
    access: (_, user) => ({ ...access, user, written: () => ({ resources: [], searchedPatientIds: [] }) }),
  },
  search: { kind: 'search', takes: [searchParameters], options, access },
  all: { kind: 'stream', takes: [optional(searchParameters)], options, access },
  describe: { kind: 'pure', takes: [optional(id)] },
  asJson: { write: { kind: 'write', takes: [anything] } },
};

/** The service behind a door, and what was done, in its order. */
const open = (door: (done: string[]) => Door = () => ({})) => {
  const done: string[] = [];
  const run =
    (name: string) =>
    async (...sent: readonly unknown[]): Outcome<string> => {
      done.push(`run ${name}`);
      return E.right(JSON.stringify(sent));
    };
  const eithers: EithersOf<Service> = {
    read: run('read'),
    write: run('write'),
    search: run('search'),
    all: async function* (parameters) {
      done.push('run all');
      yield JSON.stringify(parameters);
    },
    describe: () => {
      done.push('run describe');
      return 'described';
    },
    asJson: { write: run('asJson.write') },
  };
  return { done, service: openService<Service>(eithers, table, { path: 'goals.', ...door(done) }) };
};

const reporting =
  (accesses: Access[] = []) =>
  (done: string[]): Door => ({
    report: async (access) => {
      done.push('report');
      accesses.push(access);
      return null;
    },
  });

const beginning = (done: string[]): Door => ({
  begin: () => {
    done.push('begin');
    return Promise.resolve(E.right(undefined));
  },
});

const away = { _tag: 'Unavailable', message: 'away', cause: null } as const;
const by = { by: 'Practitioner/ada' } as const;
const wrong = { ...by, reasn: 'x' } as AccessOptions;
const tagOf = ({ tag }: { readonly tag: string }) => tag;

describe('what is done for a call', () => {
  test('is in one order: it begins if it is a write, runs, and is reported', async () => {
    const { done, service } = open((order) => ({ ...reporting()(order), ...beginning(order) }));
    await service.read('walk', by);
    expect(done.splice(0)).toEqual(['run read', 'report']);
    await service.write({}, by);
    expect(done.splice(0)).toEqual(['begin', 'run write', 'report']);
    await service.asJson.write({});
    expect(done).toEqual(['begin', 'run asJson.write']);
  });

  test('a write that cannot begin does not run, and is reported', async () => {
    const accesses: Access[] = [];
    const { done, service } = open((order) => ({
      ...reporting(accesses)(order),
      begin: () => Promise.resolve(E.left(away)),
    }));
    expect(await service.write({}, by).catch(tagOf)).toBe('StoreFailure');
    expect(done).toEqual(['report']);
    expect(accesses).toMatchObject([{ outcome: 'failed', rules: ['store-unavailable'] }]);
  });

  test('a call whose arguments are wrong neither begins nor runs, and is reported if it names a user', async () => {
    const accesses: Access[] = [];
    const { done, service } = open((order) => ({ ...reporting(accesses)(order), ...beginning(order) }));
    expect(await service.write({}, wrong).catch(tagOf)).toBe('Misuse');
    expect(await service.read(7 as never, by).catch(tagOf)).toBe('InvalidRequest');
    await expect(service.all({}, wrong).next()).rejects.toMatchObject({ tag: 'Misuse' });
    expect(accesses).toMatchObject([
      { by: 'Practitioner/ada', outcome: 'failed', rules: ['misuse'] },
      { by: 'Practitioner/ada', outcome: 'refused', rules: ['argument-id'] },
      { by: 'Practitioner/ada', outcome: 'failed', rules: ['misuse'] },
    ]);
    expect(await service.read(7 as never).catch(tagOf)).toBe('InvalidRequest');
    expect(done).toEqual(['report', 'report', 'report']);
  });

  test('a call that cannot be reported has the error of the report', async () => {
    const report = async () => storeFailure('unrecorded-access', null);
    const { service } = open(() => ({ report }));
    await expect(service.read('walk', by)).rejects.toMatchObject({
      issues: [{ rule: 'unrecorded-access' }],
    });
    expect(await service.read('walk')).toBe('["walk"]');
  });

  test('a function that a door refuses is refused by its name, whatever its arguments are', async () => {
    const refuse = (name: string) =>
      name.startsWith('goals.asJson') ? null : misuse(`${name} is not here.`);
    const { done, service } = open(() => ({ refuse }));
    const message = expect.stringContaining('goals.read is not here.');
    await expect(service.read(7 as never)).rejects.toMatchObject({ tag: 'Misuse', issues: [{ message }] });
    await expect(service.all().next()).rejects.toMatchObject({ tag: 'Misuse' });
    expect(() => service.describe()).toThrow('goals.describe is not here.');
    expect(done).toEqual([]);
    expect(await service.asJson.write(1)).toBe('[1]');
  });

  test('a transaction is told of a call in each of its forms, also of one that is refused', async () => {
    const watched: string[] = [];
    const { service } = open(() => ({ watch: (_, name) => watched.push(name) }));
    await service.read('walk');
    await eitherOf(service.asJson.write)?.({} as never);
    expect(await service.write({}, wrong).catch(tagOf)).toBe('Misuse');
    expect(watched).toEqual(['goals.read', 'goals.asJson.write', 'goals.write']);
  });
});

describe('the arguments of a call', () => {
  test('are those that the function gets, and an option that it does not have is named', async () => {
    const { service } = open();
    expect(await service.read('walk', { ...by })).toBe('["walk",{"by":"Practitioner/ada"}]');
    await expect(service.read('walk', wrong)).rejects.toThrow(
      'goals.read has no option reasn. Its options are by, onReturn, onDeny.',
    );
    await expect(service.read('walk', { by: 7 as never })).rejects.toThrow(
      'The option by of goals.read must be a string.',
    );
  });

  test('the names that every object has are not options', async () => {
    const { service } = open();
    for (const name of ['constructor', 'toString', '__proto__', 'hasOwnProperty']) {
      const sent = JSON.parse(`{ "${name}": "x" }`);
      expect(await service.read('walk', sent).catch(tagOf)).toBe('Misuse');
    }
  });

  test('options are copied at the call, and are a plain object: a copy would lose the limit of another one', async () => {
    const { service } = open();
    class Session {
      get by() {
        return 'Practitioner/ada' as const;
      }
    }
    for (const sent of [new Session(), Object.create({ ...by }), [by], new Map(), () => by]) {
      expect(await service.read('walk', sent as never).catch(tagOf)).toBe('Misuse');
    }
    expect(await service.read('walk', Object.assign(Object.create(null), by))).toContain('ada');
  });

  test('parameters that can be read only once are read once, for the function and for the audit', async () => {
    const accesses: Access[] = [];
    const { service } = open(reporting(accesses));
    const pairs = new Map([['patient', '7']]).entries();
    expect(JSON.parse(await service.search(pairs, by))[0]).toEqual([['patient', '7']]);
    const found = await service.search(new URLSearchParams('a=1&a=2'), by);
    expect(JSON.parse(found)[0]).toEqual([
      ['a', '1'],
      ['a', '2'],
    ]);
    expect(accesses.map(({ query }) => query)).toEqual(['patient=7', 'a=1&a=2']);
  });
});

test('an iteration and a function that returns at once are the same in each form', () => {
  const { service } = open();
  expect([eitherOf(service.all), eitherOf(service.describe)]).toEqual([null, null]);
  expect(service.describe()).toBe('described');
});
