import { ClinicalRecordsError } from '@clinical-records/core';
import { expect, test, vi } from 'vitest';
import { openClinic } from '../clinic.ts';
import { errorResponseOf } from '../error-response.ts';

/** The reason for which a call rejects. */
const reasonOf = async (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => null,
    (reason: unknown) => reason,
  );

/** The response to an error, its sentence, and what was logged. */
const respond = (cause: unknown) => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const { status, body } = errorResponseOf(cause);
  const logged = log.mock.calls.flat();
  log.mockRestore();
  const sentence = 'error' in body ? body.error : body.issue[0]?.diagnostics;
  return { status, sentence, logged };
};

test('a failure of the records is logged with its cause, and answered with its outcome', async () => {
  const { records, database } = await openClinic(':memory:');
  const misuse = await reasonOf(Promise.resolve().then(() => records.in(database as never)));
  database.close();
  const failure = await reasonOf(records.goals.read('walk'));
  expect(failure).toBeInstanceOf(ClinicalRecordsError);
  expect(respond(failure)).toEqual({
    status: 503,
    sentence: 'The store, or its database, was closed before. Nothing was changed.',
    logged: [failure],
  });
  expect(respond(misuse)).toEqual({
    status: 500,
    sentence: 'Internal error.',
    logged: [misuse],
  });
});

test('a refusal is not logged, and an error of the host is, without its message in the response', async () => {
  const { records, database } = await openClinic(':memory:');
  const refusal = await reasonOf(records.goals.read('walk'));
  expect(respond(refusal)).toEqual({ status: 404, sentence: 'There is no such record.', logged: [] });
  const cause = new Error('of the host');
  expect(respond(cause)).toEqual({
    status: 500,
    sentence: 'Something went wrong on our side.',
    logged: [cause],
  });
  database.close();
});
