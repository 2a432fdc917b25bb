import { ClinicalRecordsError } from '@clinical-records/core';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Authorization, Authorize, HttpHandlerOptions, Scope } from '../../src/index.ts';
import { labOrder } from '../builders.ts';
import type { Clinic, ParsedResponse } from '../clinic.ts';
import { expectError, idsOf } from '../response-helpers.ts';
import { askedBy, openCharts } from './clinic.ts';
import { type Row, routes, rows } from './rows.ts';

/** The charts, each with a completed order, too. */
const openWithCompleted = async (): Promise<Clinic> => {
  const clinic = await openCharts();
  for (const patientId of ['amy', 'ben']) {
    await clinic.completeOrder((await clinic.record(labOrder({ id: `done-${patientId}`, patientId }))).id);
  }
  return clinic;
};

let clinic: Clinic;
let versions = 0;

/** The charts as they were at first. Most requests write nothing, and the next one can use the same clinic. */
const openUnchanged = async (): Promise<void> => {
  if (versions > 0 && (await clinic.feed()).length === versions) return;
  clinic = await openWithCompleted();
  versions = (await clinic.feed()).length;
};

test('each endpoint has a row', () => {
  expect(Object.keys(rows).toSorted()).toEqual([...routes.keys()].toSorted());
});

describe.each(Object.entries(rows))('%s', (name, row) => {
  const { method } = routes.get(name) ?? { method: 'GET' };

  beforeAll(openUnchanged);

  const sendTo = (authorize: Authorize, options: Partial<HttpHandlerOptions> = {}) => {
    const { send, ...seen } = askedBy(clinic, authorize, options);
    const { path, body, headers = {} } = row;
    return {
      ...seen,
      send: (id: string) => send(method, path(id), { headers, ...(body && { body: body(id) }) }),
    };
  };

  /** A response without the id that the request named. */
  const withoutId = ({ status, headers, text }: ParsedResponse, id: string) => {
    const { 'x-request-id': _, ...others } = headers;
    return { status, headers: others, text: text.replaceAll(id, 'id') };
  };

  /** Nothing of a chart is in the response, and nothing was written. */
  const expectDenied = async (authorize: Authorize, denied: Row['denied'] = row.denied) => {
    const before = await clinic.feed();
    const { send, errors } = sendTo(authorize);
    const answer = await send('amy');
    expect(errors).toEqual([]);
    expect(await clinic.feed()).toEqual(before);
    if (denied === 'never') expect(answer.status).toBe(200);
    if (denied === 'other-chart') expectError(answer, 403);
    if (denied === 'empty') expect([idsOf(answer), answer.json.total]).toEqual([[], 0]);
    if (denied === 'unknown' || denied === 'empty') {
      const unknown = await sendTo(() => 'allow').send('nobody');
      expect(withoutId(answer, 'amy')).toEqual(withoutId(unknown, 'nobody'));
    }
  };

  test('deny', async () => {
    await expectDenied(() => 'deny');
  });
  test('limitTo other patients', async () => {
    await expectDenied(() => ({ limitTo: 'ben' }));
    await expectDenied(async () => ({ limitTo: ['ben', 'cat'] }));
    await expectDenied(() => ({ limitTo: [] }));
  });
  test.runIf(row.denied !== 'never')('the host throws, or returns anything else', async () => {
    const failures: readonly Authorize[] = [
      () => {
        throw new Error('The host is away.');
      },
      () => Promise.reject('The host is away.'),
      ...[
        undefined,
        null,
        true,
        'ALLOW',
        {},
        { limitTo: undefined },
        { limitTo: 'Patient/amy' },
        { limitTo: [7] },
      ].map((answer) => () => answer as Authorization),
    ];
    const before = await clinic.feed();
    for (const authorize of failures) {
      const { send, errors } = sendTo(authorize);
      expectError(await send('amy'), 500);
      expect(errors).toHaveLength(1);
    }
    expect(await clinic.feed()).toEqual(before);
  });
  test.runIf(row.denied !== 'never')('the host meets a failure of the library', async () => {
    const away = { _tag: 'Unavailable', message: 'The store is away.', cause: null } as const;
    const { send, errors } = sendTo(() => Promise.reject(new ClinicalRecordsError(away)));
    expectError(await send('amy'), 503);
    expect(errors.map(({ message }) => message)).toEqual([away.message]);
  });
  test.runIf(row.denied !== 'never')('the host does not answer within ten seconds', async () => {
    const before = await clinic.feed();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const asked = Promise.withResolvers<void>();
    const { send, errors } = sendTo(() => {
      asked.resolve();
      return new Promise(() => {});
    });
    const answer = send('amy');
    await asked.promise;
    await vi.advanceTimersByTimeAsync(9_999);
    expect(errors).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expectError(await answer, 503);
    expect((await answer).json.issue[0].details.coding[0].code).toBe('authorize-timeout');
    expect(errors).toEqual([new Error('authorize() returned nothing within 10000 ms.')]);
    expect(await clinic.feed()).toEqual(before);
  });
  test('what the host is asked', async () => {
    const { send, questions } = sendTo(() => 'deny');
    await send('amy');
    // A denied question is the last one.
    const asked = row.asked.slice(0, 1);
    expect(questions).toEqual(
      asked.map((question) => ({
        ...question,
        principal: { subject: 'Practitioner/ada', scopes: ['user/*.*'] },
        request: expect.objectContaining({ method }),
      })),
    );
  });
  test('the host is not asked if the scopes do not allow the request', async () => {
    const { questions, send } = askedBy(clinic, () => 'allow');
    const { path, body, headers = {} } = row;
    const answer = await send(method, path('amy'), {
      token: 'none',
      headers,
      ...(body && { body: body('amy') }),
    });
    expectError(answer, 403);
    expect(questions).toEqual([]);
  });
  test('the response to scopes that do not allow the request names those that do, each by itself', async () => {
    const { path, body, headers = {} } = row;
    const sendAs = (...scopes: readonly string[]) => {
      const principal = { subject: 'Practitioner/ada', patient: 'amy', scopes: scopes as Scope[] } as const;
      const { send } = askedBy(clinic, () => 'allow', { authenticate: () => principal });
      return send(method, path('amy'), { headers, ...(body && { body: body('amy') }) });
    };
    const sentence = (await sendAs()).json.issue[0].diagnostics;
    expect(sentence).toMatch(
      /^The caller has no scope that allows this request\. It needs user\/\w+\.[cruds], system\/\w+\.[cruds] or patient\/\w+\.[cruds]\.$/,
    );
    for (const scope of sentence.match(/(user|system|patient)\/\w+\.[cruds]/g)) {
      const { text } = await sendAs(scope);
      expect(text).not.toContain('insufficient-scope');
    }
  });
  test('limitTo the patient, and allow', async () => {
    for (const answer of [{ limitTo: ['ben', 'amy'] }, 'allow'] as const) {
      // A write changes the chart.
      await openUnchanged();
      // A read returns the resource anyway, and is not asked about again.
      const defaultReturn = method === 'GET' ? 'representation' : 'minimal';
      const { send, questions } = sendTo(() => answer, { defaultReturn });
      const allowed = await send('amy');
      expect(allowed.status).toBe(/^POST (type|commands) \w+$/.test(name) ? 201 : 200);
      if (row.denied === 'empty') {
        const { total, entry, commands } = allowed.json;
        expect(total).toBe((entry ?? commands).length);
        expect(total).toBeGreaterThan(0);
      }
      expect(questions).toMatchObject(row.asked);
      expect(questions).toHaveLength(row.asked.length);
    }
  });
});
