import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { ada, goal, immunize, lab, oneCommandOfEach, statement, team } from '../builders.ts';
import {
  type Clinic,
  createHandler,
  createRecords,
  createSender,
  createSenderAs,
  openClinic,
} from '../clinic.ts';

let clinic: Clinic;
beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const command of oneCommandOfEach({ id: 'x' })) await clinic.record(command);
  await clinic.record(immunize({ id: 'of-ben', patientId: 'ben', noteId: 'note-ben' }));
  await clinic.stage(goal({ id: 'staged' }));
  await clinic.records.careTeams.update('amy', team(ada, lab));
});

type Entry = {
  readonly fullUrl?: string;
  readonly resource: { readonly resourceType: string; readonly id: string };
};

const namesIn = ({ entry = [] }: { readonly entry?: readonly Entry[] }): readonly string[] =>
  entry.map(({ resource }) => `${resource.resourceType}/${resource.id}`);

const everything = async (query = '', send = clinic.send) => {
  const { json, status } = await send('GET', `/Patient/amy/$everything${query}`);
  expect(status).toBe(200);
  return json;
};

const chart = ['ServiceRequest/x', 'Goal/x', 'CareTeam/amy', 'Immunization/x'];
const shared = ['Practitioner/ada', 'Organization/lab', 'Encounter/visit-amy'];

describe('GET /Patient/{id}/$everything', () => {
  test('is the patient, the whole chart, and the resources to which they refer', async () => {
    const bundle = await everything();
    expect(bundle).toMatchObject({ resourceType: 'Bundle', type: 'searchset', total: 8 });
    expect(namesIn(bundle).slice(0, 5)).toEqual(['Patient/amy', ...chart]);
    expect(namesIn(bundle).slice(5).toSorted()).toEqual(shared.toSorted());
    for (const { resource } of bundle.entry) {
      const { resourceType, id } = resource;
      expect((await clinic.get(`/${resourceType}/${id}`)).json).toEqual(resource);
    }
  });

  test('with _type, only these types', async () => {
    expect(namesIn(await everything('?_type=Goal,Organization&_type=Patient'))).toEqual([
      ...['Patient/amy', 'Goal/x'],
    ]);
    expect(namesIn(await everything('?_type=CareTeam,Organization'))).toEqual([
      'CareTeam/amy',
      'Organization/lab',
    ]);
    expect(await everything('?_type=Observation')).toMatchObject({ total: 0 });
  });

  test('with _since, of the chart only what was written then or later', async () => {
    const { json } = await clinic.get('/Immunization/x');
    const { lastUpdated } = json.meta;
    const later = namesIn(await everything(`?_since=${encodeURIComponent(lastUpdated)}`));
    expect(later.filter((name) => chart.includes(name))).toEqual(['CareTeam/amy', 'Immunization/x']);
    expect(later).toContain('Patient/amy');
    // A plus sign that is not encoded means a space.
    expect(namesIn(await everything(`?_since=${lastUpdated}`))).toEqual(later);
    expect(namesIn(await everything('?_since=2100-01-01'))).toEqual(['Patient/amy']);
  });

  test('with _count, page after page, and each resource once', async () => {
    const names: string[] = [];
    let url: string | undefined = '$everything?_count=3';
    for (; url !== undefined; ) {
      const { json } = await clinic.get(`/Patient/amy/${url}`);
      expect(namesIn(json).length).toBeLessThanOrEqual(3);
      names.push(...namesIn(json));
      const next: string | undefined = json.link.find(
        ({ relation }: { relation: string }) => relation === 'next',
      )?.url;
      url = next?.replace('../../Patient/amy/', '');
    }
    expect(names).toEqual(namesIn(await everything()));
  });

  test('each page is checked by the token of its own request', async () => {
    const [first] = (await everything('?_count=1')).link.flatMap(
      ({ relation, url }: { relation: string; url: string }) => (relation === 'next' ? [url] : []),
    );
    const next = first.replace('../..', '');
    const statusOf = async (send: Clinic['send']) => (await send('GET', next)).status;
    expect(await statusOf(clinic.send)).toBe(200);
    expect(await statusOf(createSenderAs(clinic, { scopes: 'user/*.rs', expiresAt: Date.now() - 1 }))).toBe(
      401,
    );
    expect(await statusOf(createSenderAs(clinic, { scopes: 'patient/*.rs', patient: 'ben' }))).toBe(403);
  });

  test('a parameter that is unknown or wrong is a 400', async () => {
    for (const query of ['?start=2026-01-01', '?_since=soon', '?_type=goal', '?_type=', '?_count=x']) {
      expect((await clinic.get(`/Patient/amy/$everything${query}`)).status).toBe(400);
    }
    const lenient = { headers: { prefer: 'handling=lenient' } };
    const answer = await clinic.get('/Patient/amy/$everything?start=2026', lenient);
    expect([answer.status, answer.json.issue[0].expression]).toEqual([400, ['http.start']]);
    expect((await clinic.get('/Patient/amy/$everything?_type=Goal&start=2026', lenient)).status).toBe(200);
    expect((await clinic.get('/Patient/amy/$everything?_pretty=true', lenient)).status).toBe(200);
  });

  test('an unknown patient is a 404; everything of another type, and another method, a 405', async () => {
    expect((await clinic.get('/Patient/nobody/$everything')).status).toBe(404);
    expect((await clinic.get('/Goal/x/$everything')).status).toBe(405);
    expect((await clinic.post('/Patient/amy/$everything', {})).status).toBe(405);
    expect((await clinic.get('/Patient/amy/%24everything')).status).toBe(200);
  });

  test('shows only types that the token may read', async () => {
    const send = createSenderAs(clinic, {
      scopes: ['user/Patient.r', 'user/Goal.rs', 'user/Practitioner.r'],
    });
    expect(namesIn(await everything('', send))).toEqual(['Patient/amy', 'Goal/x', 'Practitioner/ada']);
    const withoutPatient = createSenderAs(clinic, { scopes: ['user/Goal.rs'] });
    expect((await withoutPatient('GET', '/Patient/amy/$everything')).status).toBe(403);
  });

  test('a patient/ scope sees its own chart, and no other one', async () => {
    const send = createSenderAs(clinic, { scopes: ['patient/*.rs'], patient: 'amy' });
    expect(namesIn(await everything('', send))).toEqual(namesIn(await everything()));
    expect((await send('GET', '/Patient/ben/$everything')).status).toBe(403);
  });

  test('has no resource of another patient, although one of the chart refers to it', async () => {
    const charts = await openClinic(createMemoryStore());
    const send = createSender(
      createHandler(charts.records, {
        hostResources: {
          types: ['Condition', 'Observation'],
          read: (resourceType, id) => ({ resourceType, id, subject: { reference: `Patient/${id}` } }),
        },
      }),
    );
    const reasonReference = ['amy', 'ben'].map((id) => ({ reference: `Condition/${id}` }));
    const body = statement({ reasonReference, reaction: [{ detail: { reference: 'Observation/ben' } }] });
    expect((await send('POST', '/Immunization', { body })).status).toBe(201);
    const names = namesIn(await everything('', send));
    expect(names.filter((name) => /^(Condition|Observation)/.test(name))).toEqual(['Condition/amy']);
  });

  test('every resource that it returns is in the event for the audit', async () => {
    const events: {
      interaction: unknown;
      id: unknown;
      patientIds: unknown;
      resources: readonly { type: string; id: string }[];
    }[] = [];
    const records = createRecords(clinic.store, { onAccess: (event) => events.push(event) });
    const send = createSender(createHandler(records));
    const names = namesIn(await everything('?_count=6', send));
    expect(events).toMatchObject([
      {
        interaction: 'operation',
        resourceType: 'Patient',
        id: 'amy',
        query: '_count=6',
        patientIds: ['amy'],
      },
    ]);
    expect(events[0]?.resources.map(({ type, id }) => `${type}/${id}`)).toEqual(names);
    await records.exporter.everything('amy', [], { by: 'Practitioner/ada' });
    expect(events[1]).toMatchObject({
      interaction: 'operation',
      by: 'Practitioner/ada',
      patientIds: ['amy'],
    });
    expect(events[1]?.resources).toHaveLength(8);
  });

  test('with the URL of the interface, its links and entries are URLs', async () => {
    const baseUrl = 'https://clinic.example/fhir';
    const bundle = await everything(
      '?_type=Patient',
      createSender(createHandler(clinic.records, { baseUrl, links: 'absolute' })),
    );
    expect(bundle.link).toMatchObject([
      { relation: 'self', url: `${baseUrl}/Patient/amy/$everything?_type=Patient` },
    ]);
    expect(bundle.entry).toMatchObject([{ fullUrl: `${baseUrl}/Patient/amy` }]);
  });

  test('/metadata and /openapi.json describe it', async () => {
    const { json: statement } = await clinic.get('/metadata', { token: null });
    const patient = statement.rest[0].resource.find(({ type }: { type: string }) => type === 'Patient');
    expect(patient.operation).toEqual([
      { name: 'everything', definition: 'http://hl7.org/fhir/OperationDefinition/Patient-everything' },
    ]);
    const { json: openapi } = await clinic.get('/openapi.json', { token: null });
    expect(openapi.paths['/Patient/{id}/$everything'].get.operationId).toBe('operationPatient');
  });
});
