import type { AccessEvent } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import type { HostResource, HostResources, HttpHandlerOptions, Principal } from '../src/index.ts';
import { goal } from './builders.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from './clinic.ts';
import { openExports, service } from './export/export-client.ts';

const conditionOf = (patientId: string, id: string, lastUpdated?: string) => ({
  resourceType: 'Condition',
  id,
  ...(lastUpdated !== undefined && { meta: { lastUpdated } }),
  subject: { reference: `Patient/${patientId}` },
  recorder: { reference: 'Practitioner/ada' },
});

/** 250 of amy, of which the last has no time, and one of ben. */
const conditions: readonly HostResource[] = [
  ...Array.from({ length: 249 }, (_, index) =>
    conditionOf('amy', `c${index}`, `2026-01-01T00:${`${index % 60}`.padStart(2, '0')}:00Z`),
  ),
  conditionOf('amy', 'undated'),
  conditionOf('ben', 'of-ben', '2026-01-01T00:00:00Z'),
];

const documentation = 'Of this patient.';

/** The host finds its conditions by patient, and its medications not. */
const createHost = (found: readonly HostResource[] = conditions): HostResources => ({
  types: ['Condition', 'Medication'],
  read: () => null,
  searches: {
    Condition: {
      parameters: [{ name: 'patient', type: 'reference', documentation }],
      find: (sent, { count, offset, within }) => {
        const patients = [...sent.map(([, id]) => [id]), within].filter((ids) => ids !== undefined);
        const matches = found.filter((resource) => {
          const { subject } = resource as ReturnType<typeof conditionOf>;
          return patients.every((ids) => ids.some((id) => subject.reference === `Patient/${id}`));
        });
        return { total: matches.length, resources: matches.slice(offset, offset + count) };
      },
    },
    Medication: {
      parameters: [{ name: 'code', type: 'token', documentation: 'Of this code.' }],
      find: () => ({ total: 1, resources: [{ resourceType: 'Medication', id: 'm1' }] }),
    },
  },
});

let clinic: Clinic;
beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  await clinic.record(goal({ id: 'x' }));
});

const senderFor = (principal: Partial<Principal> = {}, options: Partial<HttpHandlerOptions> = {}) =>
  createSender(
    createHandler(clinic.records, {
      authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs', ...principal }),
      hostResources: createHost(),
      ...options,
    }),
  );

type Bundle = {
  readonly total?: number;
  readonly link: readonly { readonly relation: string; readonly url: string }[];
  readonly entry?: readonly { readonly resource: { readonly resourceType: string; readonly id: string } }[];
};

const everything = async (query: string, send = senderFor()): Promise<Bundle> => {
  const { json, status } = await send('GET', `/Patient/amy/$everything${query}`);
  expect(status).toBe(200);
  return json;
};

const namesIn = ({ entry = [] }: Bundle): readonly string[] =>
  entry.map(({ resource }) => `${resource.resourceType}/${resource.id}`);

const ofAmy = conditions.slice(0, 250).map(({ id }) => `Condition/${id}`);

describe('$everything has the resources of the host whose search has the parameter patient', () => {
  test('after those of the records, and each once, with the resources to which they refer', async () => {
    const bundle = await everything('');
    expect(namesIn(bundle)).toEqual([
      ...['Patient/amy', 'Goal/x', 'CareTeam/amy', ...ofAmy, 'Practitioner/ada'],
    ]);
    expect(bundle.total).toBe(254);
  });

  test('page after page', async () => {
    const names: string[] = [];
    for (let url: string | undefined = '$everything?_count=70'; url !== undefined; ) {
      const page: Bundle = (await senderFor()('GET', `/Patient/amy/${url}`)).json;
      names.push(...namesIn(page));
      const next = page.link.find(({ relation }) => relation === 'next')?.url;
      url = next?.slice(next.indexOf('$everything'));
    }
    expect(names).toEqual(namesIn(await everything('')));
  });

  test('of the types that are requested', async () => {
    expect(await everything('?_type=Condition&_count=1')).toMatchObject({
      entry: [{ resource: { id: 'c0' } }],
    });
    expect(namesIn(await everything('?_type=Goal'))).toEqual(['Goal/x']);
  });

  test('with _since, what was changed then or later, or does not say when, also on later pages', async () => {
    const later = ['c58', 'c59', 'c118', 'c119', 'c178', 'c179', 'c238', 'c239', 'undated'];
    const since = '_type=Condition&_since=2026-01-01T00:58:00Z';
    expect(namesIn(await everything(`?${since}`))).toEqual(later.map((id) => `Condition/${id}`));
    expect(namesIn(await everything(`?${since}&_count=3&_offset=6`))).toEqual([
      ...['Condition/c238', 'Condition/c239', 'Condition/undated'],
    ]);
    expect(await everything(`?${since}&_count=3&_offset=9`)).toMatchObject({ total: 9 });
  });

  test('refused: a type that the scopes do not allow, and a chart that authorize denies', async () => {
    const limited = senderFor({ scopes: 'user/Patient.rs user/Goal.rs' });
    expect(namesIn(await everything('', limited))).toEqual(['Patient/amy', 'Goal/x']);
    const denied = senderFor(
      {},
      { authorize: ({ resourceType }) => (resourceType === 'Condition' ? 'deny' : 'allow') },
    );
    const names = namesIn(await everything('', denied));
    expect(names).toContain('Goal/x');
    expect(names.filter((name) => name.startsWith('Condition/'))).toEqual([]);
  });

  test('refused: a resource of another chart, which the host found by mistake', async () => {
    const hostResources: HostResources = {
      ...createHost(),
      searches: {
        Condition: {
          parameters: [{ name: 'patient', type: 'reference', documentation }],
          find: () => ({ total: 1, resources: [conditionOf('ben', 'of-ben')] }),
        },
      },
    };
    for (const principal of [{}, { scopes: 'patient/*.rs', patient: 'amy' }]) {
      const { status, text } = await senderFor(principal, { hostResources })(
        'GET',
        '/Patient/amy/$everything',
      );
      expect(status).toBe(500);
      expect(text).not.toContain('of-ben');
    }
  });

  test('each is named in the audit', async () => {
    const events: AccessEvent[] = [];
    const records = createRecords(clinic.store, { onAccess: (event) => void events.push(event) });
    const send = createSender(
      createHandler(records, {
        authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs' }),
        hostResources: createHost(),
      }),
    );
    await send('GET', '/Patient/amy/$everything?_type=Condition&_count=2');
    expect(events.at(-1)).toMatchObject({
      interaction: 'operation',
      patientIds: ['amy'],
      resources: [
        { type: 'Condition', id: 'c0', patientId: 'amy' },
        { type: 'Condition', id: 'c1', patientId: 'amy' },
      ],
    });
  });
});

describe('$export has the resources of the host whose search has the parameter patient', () => {
  const open = (hostResources = createHost(), options: Partial<HttpHandlerOptions> = {}) =>
    openExports(clinic, { groupMembers: () => ['amy'] }, { hostResources, ...options });

  const conditionsIn = (names: readonly string[]) => names.filter((name) => name.startsWith('Condition/'));

  test('of all patients, or of the patients of a group', async () => {
    const { exported } = open();
    expect(conditionsIn(await exported('/$export'))).toEqual([...ofAmy, 'Condition/of-ben'].toSorted());
    expect(conditionsIn(await exported('/Group/g/$export'))).toEqual(ofAmy.toSorted());
  });

  test('with the practitioners whom they name', async () => {
    await clinic.records.directory.put('Practitioner', { id: 'eli', lastName: 'Eliot' });
    const named = { ...conditionOf('amy', 'of-eli'), recorder: { reference: 'Practitioner/eli' } };
    const { exported } = open(createHost([named]));
    expect(await exported('/Group/g/$export')).toContain('Practitioner/eli');
    expect(await exported('/Group/g/$export?_type=Condition')).toEqual(['Condition/of-eli']);
  });

  test('with _since, what was changed then or later, but for a minute, or does not say when', async () => {
    const { exported } = open();
    const names = await exported('/$export?_type=Condition&_since=2026-01-01T01:00:00Z');
    expect(names).toEqual(
      ['c59', 'c119', 'c179', 'c239', 'undated'].map((id) => `Condition/${id}`).toSorted(),
    );
  });

  test('refused: without the scope of the type, and outside of the patients whom authorize allows', async () => {
    const { begin, exported } = open();
    const as = { ...service, scopes: 'system/Goal.rs system/Patient.rs' } as const;
    expect((await begin('/$export?_type=Condition', { as })).status).toBe(403);
    expect(conditionsIn(await exported('/$export', { as }))).toEqual([]);
    const limited = open(createHost(), { authorize: () => ({ limitTo: 'ben' }) });
    expect(conditionsIn(await limited.exported('/$export'))).toEqual(['Condition/of-ben']);
  });

  test('refused: a type of the host that is not searched by patient', async () => {
    expect((await open().begin('/$export?_type=Medication')).status).toBe(400);
  });
});

describe('a stream of events names the changes of the host in the chart', () => {
  /** A host whose changes the test makes. */
  const createChanges = () => {
    const followers = new Map<(changed: { type: string; id: string }) => void, string>();
    const follow: HostResources['follow'] = (patientId, onChange) => {
      followers.set(onChange, patientId);
      return () => void followers.delete(onChange);
    };
    const change = (patientId: string, type: string, id: string) => {
      for (const [onChange, followed] of followers) if (followed === patientId) onChange({ type, id });
    };
    return { follow, change, count: () => followers.size };
  };

  const open = async (follow: HostResources['follow'], options: Partial<HttpHandlerOptions> = {}) => {
    const handler = createHandler(clinic.records, {
      authenticate: () => ({ subject: 'Person/x', scopes: 'user/*.rs' }),
      events: { interval: 1 },
      hostResources: { ...createHost(), follow },
      ...options,
    });
    const { status, stream } = await handler({
      ...{ method: 'GET', url: '/fhir/events?patient=amy', headers: { authorization: 'Bearer x' } },
    });
    if (stream !== undefined) await stream.next();
    return { status, stream };
  };

  const eventOf = (type: string, id: string) =>
    `event: version\ndata: ${JSON.stringify({ resourceType: type, id })}\n\n`;

  test('until it ends', async () => {
    const { follow, change, count } = createChanges();
    const { stream } = await open(follow);
    change('ben', 'Condition', 'of-ben');
    change('amy', 'Condition', 'c1');
    expect((await stream?.next())?.value).toBe(eventOf('Condition', 'c1'));
    await stream?.return();
    expect(count()).toBe(0);
  });

  test('refused: one of a type outside of charts, and one that the sender may not read', async () => {
    const { follow, change } = createChanges();
    const { stream } = await open(follow);
    change('amy', 'Medication', 'm1');
    change('amy', 'Condition', 'c2');
    expect((await stream?.next())?.value).toBe(eventOf('Condition', 'c2'));
    await stream?.return();
    const denied = await open(follow, {
      authorize: ({ resourceType }) => (resourceType === 'Condition' ? 'deny' : 'allow'),
    });
    change('amy', 'Condition', 'c3');
    await clinic.record(goal({ id: 'seen' }));
    expect(String((await denied.stream?.next())?.value)).toContain('"id":"seen"');
    await denied.stream?.return();
  });

  test('for a sender who may read only its types, and not without its changes', async () => {
    const authenticate = () => ({ subject: 'Person/x', scopes: 'user/Condition.rs' }) as const;
    const { follow } = createChanges();
    const opened = await open(follow, { authenticate });
    expect(opened.status).toBe(200);
    await opened.stream?.return();
    expect((await open(undefined, { authenticate })).status).toBe(403);
  });

  test('refused: a host that cannot be followed ends nothing but the request', async () => {
    const { status } = await open(() => {
      throw new Error('no changes');
    });
    expect(status).toBe(500);
  });
});
