import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Authorize, HostResources } from '../../src/index.ts';
import { enteredInError, labOrder, statement } from '../builders.ts';
import { type Clinic, createRecords, createSenderAs, type ParsedResponse, readFeed } from '../clinic.ts';
import { expectError, idsOf } from '../response-helpers.ts';
import { askedBy, openCharts } from './clinic.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openCharts();
  await clinic.record(
    labOrder({
      id: 'device',
      encounter: { reference: 'Encounter/visit-amy' },
      performer: [{ reference: 'Device/ben' }, { reference: 'Organization/lab' }],
    }),
  );
});

/** A host that denies one chart, or a type of resource. */
const denies =
  (denied: string): Authorize =>
  ({ resourceType, patientIds }) =>
    resourceType === denied || patientIds.includes(denied) ? 'deny' : 'allow';

const includedIn = ({ json }: ParsedResponse): readonly string[] =>
  json.entry
    .filter(({ search }: { search: { mode: string } }) => search.mode === 'include')
    .map(
      ({ resource }: { resource: { resourceType: string; id: string } }) =>
        `${resource.resourceType}/${resource.id}`,
    );

describe('what a search includes is asked about like a read of it', () => {
  const order = '/ServiceRequest?_id=device&_include=*&_revinclude=Provenance:target';
  /** In no chart, so nobody asks about them. */
  const shared = ['Organization/lab', 'Practitioner/ada'];
  test.each([
    ['nobody', ['Device/ben', 'Encounter/visit-amy', 'Patient/amy', 'Provenance/S-device-1']],
    ['ben', ['Encounter/visit-amy', 'Patient/amy', 'Provenance/S-device-1']],
    ['Patient', ['Device/ben', 'Encounter/visit-amy', 'Provenance/S-device-1']],
    ['Encounter', ['Device/ben', 'Patient/amy', 'Provenance/S-device-1']],
    ['Provenance', ['Device/ben', 'Encounter/visit-amy', 'Patient/amy']],
  ])('where %s is denied', async (denied, included) => {
    const { send } = askedBy(clinic, denies(denied));
    const page = await send('GET', `${order}&patient=amy`);
    expect(includedIn(page).toSorted()).toEqual([...included, ...shared].toSorted());
  });
  test('a denied search includes nothing', async () => {
    const page = await askedBy(clinic, denies('amy')).send('GET', `${order}&patient=amy`);
    expect([page.json.total, page.json.entry]).toEqual([0, undefined]);
  });
  test('the question has the id and the patient of the included resource', async () => {
    const { send, questions } = askedBy(clinic, () => 'allow');
    await send('GET', order);
    const asked = questions.map(({ interaction, resourceType, id, patientIds }) =>
      [interaction, resourceType, id, ...patientIds].join(' '),
    );
    expect(asked.toSorted()).toEqual([
      'read Device ben ben',
      'read Encounter visit-amy amy',
      'read Patient amy amy',
      'read Provenance S-device-1 amy',
      'read ServiceRequest device amy',
      'search ServiceRequest ',
    ]);
  });
  test('a host that fails in the middle makes the search a 500', async () => {
    const { send, errors } = askedBy(clinic, ({ resourceType }) => {
      if (resourceType === 'Device') throw new Error('The host is away.');
      return 'allow';
    });
    expectError(await send('GET', order), 500);
    expect(errors).toHaveLength(1);
  });
});

test('a Provenance is hidden with the resource that it is about', async () => {
  const { send } = askedBy(clinic, denies('Goal'));
  expect((await send('GET', '/Provenance/G-amy-1')).status).toBe(404);
  expect((await send('GET', '/Provenance?target=Goal/amy')).json.total).toBe(0);
  expect((await send('GET', '/Provenance?target=Goal/amy,ServiceRequest/amy')).json.total).toBe(1);
});

test('a search for the Provenances of several resources is asked about each of their charts', async () => {
  const { send } = askedBy(clinic, denies('ben'));
  const page = await send('GET', '/Provenance?target=Goal/amy,Goal/ben,Goal/nobody');
  expect([idsOf(page), page.json.total]).toEqual([['G-amy-1'], 1]);
});

test('a resource of the host whose patient is not known is in no chart of `limitTo`', async () => {
  const owners: Record<string, object> = {
    none: {},
    group: { subject: { reference: 'Group/7' } },
    url: { subject: { reference: 'https://other.example/Patient/amy' } },
    both: { subject: { reference: 'Patient/amy' }, patient: { reference: 'Patient/ben' } },
    amys: { subject: { reference: 'Patient/amy' } },
  };
  const hostResources: HostResources = {
    types: ['Observation'],
    read: (resourceType, id) => ({ resourceType, id, ...owners[id] }),
  };
  const { send, questions } = askedBy(clinic, () => ({ limitTo: 'amy' }), { hostResources });
  const seen: string[] = [];
  for (const id of Object.keys(owners)) {
    if ((await send('GET', `/Observation/${id}`)).status === 200) seen.push(id);
  }
  expect(seen).toEqual(['amys']);
  expect(questions.map(({ patientIds }) => patientIds)).toEqual([[], [], [], ['amy', 'ben'], ['amy']]);
});

test('a care team of each status is in the chart of its patient', async () => {
  const { send } = askedBy(clinic, denies('ben'));
  for (const path of ['/CareTeam/ben', '/CareTeam/ben.inactive', '/CareTeam/ben.inactive/_history']) {
    expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
  }
});

describe('after a correction, each version is in the chart of its time', () => {
  const correction = { toPatientId: 'ben', by: 'Practitioner/ada', reason: 'Two charts.' } as const;
  const statusFor = async (charts: Clinic, denied: string, path: string) =>
    (await askedBy(charts, denies(denied)).send('GET', path)).status;

  test('a goal that was moved', async () => {
    const charts = await openCharts();
    await charts.records.corrections.moveToPatient({
      ...correction,
      resourceType: 'Goal',
      resourceId: 'amy',
    });
    expect(await statusFor(charts, 'ben', '/Goal/amy')).toBe(404);
    expect(await statusFor(charts, 'ben', '/Goal/amy/_history/1')).toBe(404);
    const { send } = askedBy(charts, denies('amy'));
    expect((await send('GET', '/Goal/amy')).json.subject.reference).toBe('Patient/ben');
    expect((await send('GET', '/Goal/amy/_history')).json.total).toBe(1);
    expect((await send('GET', '/Provenance?target=Goal/amy')).json.total).toBe(1);
    for (const path of ['/Goal/amy/_history/1', '/Provenance/G-amy-1']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 404]);
    }
  });
  test('a goal that was moved has no Provenance for a sender who reaches only its first chart', async () => {
    const charts = await openCharts();
    await charts.records.corrections.moveToPatient({
      ...correction,
      resourceType: 'Goal',
      resourceId: 'amy',
    });
    for (const scopes of ['user/Provenance.rs patient/Goal.rs', 'patient/Provenance.rs user/Goal.rs']) {
      const send = createSenderAs(charts, { scopes, patient: 'amy' });
      expect((await send('GET', '/Provenance/G-amy-1')).status).toBe(404);
      expect((await send('GET', '/Provenance?target=Goal/amy')).json.total).toBe(0);
    }
  });

  test('the team of a patient who was merged into another one', async () => {
    const charts = await openCharts();
    await charts.records.corrections.mergePatients({ ...correction, patientId: 'amy' });
    expect(await statusFor(charts, 'nobody', '/CareTeam/amy/_history/1')).toBe(200);
    expect(await statusFor(charts, 'amy', '/CareTeam/amy/_history/1')).toBe(404);
  });
});

test('a patient whom only the host knows is denied like one who does not exist', async () => {
  const store = createMemoryStore();
  const records = createRecords(store, {
    resolve: { Patient: (id) => (id === 'zoe' ? { id, lastName: 'Zed' } : null) },
  });
  const { send } = askedBy({ ...clinic, records }, denies('zoe'));
  for (const path of ['/Patient/', '/CareTeam/']) {
    const [denied, unknown] = [await send('GET', `${path}zoe`), await send('GET', `${path}yul`)];
    expect([denied.status, denied.text.replaceAll('zoe', 'yul')]).toEqual([404, unknown.text]);
  }
  const before = await readFeed(store);
  for (const query of ['patient=zoe', '_id=zoe', 'patient=zoe,yul'])
    expect((await send('GET', `/CareTeam?${query}`)).json.total).toBe(0);
  expect(await readFeed(store)).toEqual(before);
});

describe('a write', () => {
  test('shows the resource only if its sender may also read it', async () => {
    const body = statement();
    const headers = { prefer: 'return=representation' };
    const mayNotRead: Authorize = ({ interaction }) => (interaction === 'read' ? 'deny' : 'allow');
    const { send, questions } = askedBy(clinic, mayNotRead);
    const created = await send('POST', '/Immunization', { body, headers });
    expect([created.status, created.text]).toEqual([201, 'null']);
    expect(questions.map(({ interaction, id }) => [interaction, id])).toEqual([
      ['create', null],
      ['read', created.headers.location?.split('/').at(-1)],
    ]);
    const shown = await askedBy(clinic, () => 'allow').send('POST', '/Immunization', { body, headers });
    expect(shown.json.resourceType).toBe('Immunization');
  });
  test('succeeds if the host cannot say whether its sender may read it', async () => {
    const { send, errors } = askedBy(clinic, ({ interaction }) => {
      if (interaction === 'read') throw new Error('The host is away.');
      return 'allow';
    });
    const headers = { prefer: 'return=representation' };
    const created = await send('POST', '/Immunization', { body: statement(), headers });
    expect([created.status, created.text]).toEqual([201, 'null']);
    expect(errors).toHaveLength(1);
  });
  test('does not say that an encounter of another chart exists', async () => {
    const { send } = askedBy(clinic, () => 'allow');
    const answerFor = async (id: string) => {
      const body = statement({ encounter: { reference: `Encounter/${id}` } });
      return (await send('POST', '/Immunization', { body })).text;
    };
    expect(await answerFor('visit-ben')).toEqual(await answerFor('nobody'));
  });
  test('is asked about before the host or the store says whether its patient exists', async () => {
    const { send, questions } = askedBy(clinic, () => 'deny');
    expectError(await send('PUT', '/CareTeam/nobody', { body: { id: 'nobody' } }), 403);
    const body = statement({ patient: { reference: 'Patient/nobody' } });
    expectError(await send('POST', '/Immunization', { body }), 403);
    expect(questions.map(({ patientIds }) => patientIds)).toEqual([['nobody'], ['nobody']]);
  });
  test('to a record that does not exist is not asked about', async () => {
    const { send, questions } = askedBy(clinic, () => 'allow');
    expectError(
      await send('PUT', '/Immunization/nobody', { body: enteredInError('nobody') }),
      405,
      'Immunization.id',
    );
    expect(questions).toEqual([]);
  });
});

test('a client that has the version of a denied resource does not learn that it is current', async () => {
  const { headers } = await clinic.get('/Goal/amy');
  const { send } = askedBy(clinic, denies('amy'));
  const answer = await send('GET', '/Goal/amy', { headers: { 'if-none-match': headers.etag ?? '' } });
  expect(answer.status).toBe(404);
});
