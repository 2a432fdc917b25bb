import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { type ClinicalError, notFound, type Outcome } from '../src/errors.ts';
import { id, optional } from '../src/forms.ts';
import { toEithers, toTaskEithers } from '../src/fp-ts.ts';
import type { ClinicalRecords } from '../src/index.ts';
import { openService } from '../src/open-service.ts';
import { ClinicalRecordsError, type EithersOf, orThrow } from '../src/outcome.ts';

const missing = notFound('Goal', 'g1');

type Runner<A> = { readonly run: (id?: string) => Promise<A> };

/** A public function of one that returns its errors. */
const toPromise = <A>(run: () => Outcome<A>) =>
  openService<Runner<A>>({ run }, { run: { kind: 'read', takes: [optional(id)] } }).run;

const failing = toPromise(async (): Outcome<number> => E.left(missing));

/** A function that counts its runs. */
const counting = () => {
  let runs = 0;
  const count = toPromise(async (): Outcome<number> => {
    runs += 1;
    return E.right(runs);
  });
  return { count, runs: () => runs };
};

test('a call begins at once, and runs once, however often it is awaited', async () => {
  const { count, runs } = counting();
  const call = count();
  expect(runs()).toBe(1);
  expect([call instanceof Promise, await call, await call, runs()]).toEqual([true, 1, 1, 1]);
});

test('a call rejects with a ClinicalRecordsError, which `catch` handles', async () => {
  await expect(failing()).rejects.toBeInstanceOf(ClinicalRecordsError);
  expect(await failing().catch(({ tag }) => tag)).toBe('NotFound');
});

test('a call rejects with the exception of its function, also with one that is thrown at once', async () => {
  const broken = new Error('broken');
  const throwing = toPromise((): Outcome<number> => {
    throw broken;
  });
  await expect(toPromise((): Outcome<number> => Promise.reject(broken))()).rejects.toBe(broken);
  await expect(throwing()).rejects.toBe(broken);
});

test('the stack of an error leads to the line that awaited', async () => {
  const readTheGoal = async () => {
    await failing();
  };
  const { stack } = await readTheGoal().then(
    () => new Error('did not reject'),
    (thrown: Error) => thrown,
  );
  expect(stack).toContain('readTheGoal');
});

test('an error of a store becomes a StoreFailure', async () => {
  const away = { _tag: 'Unavailable', message: 'away', cause: null } as const;
  await expect(orThrow(Promise.resolve(E.left(away)))).rejects.toMatchObject({ tag: 'StoreFailure' });
  expect(await orThrow(Promise.resolve(E.right(1)))).toBe(1);
});

test('each function of a service, and of its asJson, rejects, and an iteration stays one', async () => {
  type Service = {
    readonly read: (id: string) => Promise<string>;
    readonly all: () => AsyncGenerator<string>;
    readonly asJson: { readonly read: (id: string) => Promise<string> };
  };
  const eithers: EithersOf<Service> = {
    read: async (name) => E.right(name),
    all: async function* () {
      yield 'g1';
    },
    asJson: { read: async () => E.left(missing) },
  };
  const { read, all, asJson } = openService<Service>(eithers, {
    read: { kind: 'read', takes: [id] },
    all: { kind: 'stream', takes: [] },
    asJson: { read: { kind: 'read', takes: [id] } },
  });
  expect(await read('g1')).toBe('g1');
  for await (const name of all()) expect(name).toBe('g1');
  await expect(asJson.read('g1')).rejects.toMatchObject({ tag: 'NotFound' });
});

/** Records with one function, of ours or of a host. */
const recordsWith = (read: () => Promise<unknown>) =>
  ({ goals: { read }, describe: () => 'described' }) as unknown as ClinicalRecords;

const fromHost = (error: ClinicalError) => recordsWith(() => Promise.reject(new ClinicalRecordsError(error)));

test('the forms for fp-ts return the error, of our functions and of those of a host', async () => {
  for (const records of [recordsWith(failing), fromHost(missing)]) {
    expect(await toEithers(records).goals.read('g1')).toEqual(E.left(missing));
    expect(await toTaskEithers(records).goals.read('g1')()).toEqual(E.left(missing));
  }
});

test('the forms for fp-ts do not catch an exception', async () => {
  const broken = new Error('broken');
  const records = recordsWith(() => Promise.reject(broken));
  await expect(toEithers(records).goals.read('g1')).rejects.toBe(broken);
  await expect(toTaskEithers(records).goals.read('g1')()).rejects.toBe(broken);
});

test('an Either begins at the call, and a task when it is run, each time', async () => {
  const { count, runs } = counting();
  await toEithers(recordsWith(count)).goals.read('g1');
  expect(runs()).toBe(1);
  const task = toTaskEithers(recordsWith(count)).goals.read('g1');
  expect(runs()).toBe(1);
  expect([await task(), await task()]).toEqual([E.right(2), E.right(3)]);
});

test('a function that returns neither a promise nor an iteration is the same in each form', () => {
  const records = recordsWith(failing);
  expect([toEithers(records).describe(), toTaskEithers(records).describe()]).toEqual([
    'described',
    'described',
  ]);
});
