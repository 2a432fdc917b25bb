import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect, test } from 'vitest';
import { ClinicalRecordsError } from '../src/clinical-records-error.ts';
import { type ClinicalError, notFound } from '../src/errors.ts';
import { createResult, createResults, type Result } from '../src/result.ts';

/** A result that counts its runs: each returns the number of the run. */
const counting = () => {
  let runs = 0;
  const result = createResult<ClinicalError, number>(async () => {
    runs += 1;
    return E.right(runs);
  });
  return { result, runs: () => runs };
};

const failing = () => createResult<ClinicalError, number>(TE.left(notFound('Goal', 'g1')));

test('a result that is neither awaited nor run nor piped does nothing', async () => {
  const { runs } = counting();
  await null;
  expect(runs()).toBe(0);
});

test('a result that is piped does nothing until the task is run', async () => {
  const { result, runs } = counting();
  const task = pipe(
    result,
    TE.map((number) => number * 10),
  );
  await null;
  expect(runs()).toBe(0);
  expect(await task()).toEqual(E.right(10));
});

test('an awaited result runs once, however often it is awaited', async () => {
  const { result, runs } = counting();
  expect(await Promise.all([result, result])).toEqual([1, 1]);
  expect(await result).toBe(1);
  expect(await result.then((number) => number + 1)).toBe(2);
  expect(runs()).toBe(1);
});

test('a result that is called runs each time, whether it was awaited or not', async () => {
  const { result } = counting();
  expect(await result()).toEqual(E.right(1));
  expect(await result).toBe(2);
  expect(await result()).toEqual(E.right(3));
  expect(await result).toBe(2);
});

test('an awaited result rejects with a ClinicalRecordsError, the same one each time', async () => {
  const result = failing();
  const thrown = await Promise.allSettled([result, result]);
  expect(thrown).toMatchObject([{ reason: { tag: 'NotFound' } }, { reason: { tag: 'NotFound' } }]);
  const [first, second] = thrown as PromiseRejectedResult[];
  expect(first?.reason).toBeInstanceOf(ClinicalRecordsError);
  expect(second?.reason).toBe(first?.reason);
});

test('a result that is called returns the ClinicalError', async () => {
  expect(await failing()()).toEqual(E.left(notFound('Goal', 'g1')));
});

test('an error that is handled in `then` does not reject', async () => {
  expect(
    await failing().then(
      () => 'found',
      ({ tag }) => tag,
    ),
  ).toBe('NotFound');
});

test('an awaited result rejects with the exception of its task', async () => {
  const broken = new Error('broken');
  const result = createResult<ClinicalError, number>(() => Promise.reject(broken));
  await expect(async () => result).rejects.toBe(broken);
});

test('an async function that returns a result returns its value', async () => {
  const { result } = counting();
  expect(await (async () => result)()).toBe(1);
});

test('results can be iterated by for await', async () => {
  const numbers: number[] = [];
  for await (const number of [counting().result, counting().result]) numbers.push(number);
  expect(numbers).toEqual([1, 1]);
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

test('each function of a service, and of its asJson, returns a result', async () => {
  type Service = {
    readonly read: (id: string) => Result<string>;
    readonly asJson: { readonly read: (id: string) => Result<string> };
  };
  const service = createResults<Service>({
    read: (id) => TE.right(id),
    asJson: { read: (id) => TE.right(JSON.stringify(id)) },
  });
  expect(await service.read('g1')).toBe('g1');
  expect(await service.asJson.read('g1')).toBe('"g1"');
});
