import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { ada, bob, goal, labOrder, statement, team } from '../../builders.ts';
import { type Clinic, createHandler, createSender, openClinic, type RequestOptions } from '../../clinic.ts';
import { expectError } from '../../response-helpers.ts';

const baseUrl = 'https://clinic.example/fhir';

let clinic: Clinic;
let send: ReturnType<typeof createSender>;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  send = createSender(createHandler(clinic.records, { baseUrl }));
  await clinic.records.careTeams.update('amy', team(ada, bob));
  for (const id of ['walk', 'swim']) await clinic.record(goal({ id }));
  await clinic.record(goal({ id: 'bens', patientId: 'ben' }));
  await clinic.record(labOrder({ id: 'order' }));
  await clinic.post('/Immunization', statement());
});

const get = (path: string, options: RequestOptions = {}) => send('GET', path, options);

const idsIn = ({ json }: Awaited<ReturnType<typeof get>>) =>
  (json.entry ?? []).map(({ resource }: { readonly resource: { readonly id: string } }) => resource.id);

describe('the general parameters of FHIR are ignored where they mean nothing', () => {
  const general = '_pretty=true&_format=json&_summary=data&_elements=id&_total=accurate';
  test.each([
    '/Goal/walk',
    '/Goal/walk/_history',
    '/Goal/walk/_history/1',
    '/CareTeam/amy',
    '/Provenance?target=Goal/walk',
    '/Patient/amy/$everything',
    '/metadata',
  ])('GET %s', async (path) => {
    const [plain, asked] = [await get(path), await get(`${path}${path.includes('?') ? '&' : '?'}${general}`)];
    expect(asked.status).toBe(200);
    expect(asked.json.entry ?? asked.json.id).toEqual(plain.json.entry ?? plain.json.id);
  });
  test.each(['Goal', 'ServiceRequest', 'CareTeam', 'Immunization'])(
    'and `_pretty` in a search for %s',
    async (type) => {
      const [plain, asked] = [await get(`/${type}`), await get(`/${type}?_pretty=true&_format=json`)];
      expect(asked.json).toEqual(plain.json);
    },
  );
  test('their values still count where they mean something', async () => {
    expectError(await get('/Goal?_summary=all'), 400, 'http._summary');
    expectError(await get('/Goal/walk/_history?_summary=true&_at=2026'), 400, 'http._at');
  });
});

describe('a reference in a search', () => {
  test.each([
    'patient=amy',
    'patient=Patient/amy',
    `patient=${baseUrl}/Patient/amy`,
    'patient:Patient=amy',
    'patient:Patient=Patient/amy',
    `subject:Patient=${baseUrl}/Patient/amy`,
    `patient=ben,${baseUrl}/Patient/amy&patient:Patient=amy`,
  ])('%s finds the goals of Amy', async (query) => {
    expect(idsIn(await get(`/Goal?${query}`))).toEqual(['walk', 'swim']);
  });
  test.each(['participant:Practitioner=ada', `participant=${baseUrl}/Practitioner/ada`])(
    '%s finds the team of the practitioner',
    async (query) => {
      expect(idsIn(await get(`/CareTeam?${query}`))).toEqual(['amy']);
    },
  );
  test('`participant:Organization` finds no practitioner of that id', async () => {
    expect((await get('/CareTeam?participant:Organization=ada')).json.total).toBe(0);
  });
  test('`self` keeps the parameter as it was sent', async () => {
    const { json } = await get('/Goal?patient:Patient=amy');
    expect(json.link[0].url).toBe('Goal?patient%3APatient=amy&_count=10&_offset=0');
  });
  test.each([
    ['patient=https://other.example/fhir/Patient/amy', 'http.patient'],
    ['patient:Practitioner=amy', 'http.patient'],
    ['patient:Patient=Practitioner/amy', 'http.patient'],
    ['patient:Patient:exact=amy', 'http.patient'],
    ['status:Patient=active', 'http.status'],
  ])('%s is a 400', async (query, expression) => {
    expectError(await get(`/CareTeam?${query}`), 400, expression);
  });
  test('of another patient is refused under a `patient/` scope, however it is written', async () => {
    for (const query of ['patient:Patient=ben', `patient=${baseUrl}/Patient/ben`]) {
      expectError(await get(`/Goal?${query}`, { token: 'amy' }), 403);
    }
  });
});

describe('`_include` with the type of the target', () => {
  const includedBy = async (query: string) => {
    const { json } = await get(`/CareTeam?patient=amy&${query}`);
    return json.entry
      .filter(({ search }: { readonly search: { readonly mode: string } }) => search.mode === 'include')
      .map(
        ({ resource }: { readonly resource: Record<string, string> }) =>
          `${resource.resourceType}/${resource.id}`,
      );
  };
  test('adds only resources of the type', async () => {
    const all = await includedBy('_include=CareTeam:participant');
    expect(await includedBy('_include=CareTeam:participant:Practitioner')).toEqual(all);
    expect(all).toEqual(['Practitioner/ada', 'Practitioner/bob']);
    expect(await includedBy('_include=CareTeam:participant:Organization')).toEqual([]);
  });
  test('and `_revinclude` of another type adds nothing', async () => {
    expect(await includedBy('_revinclude=Provenance:target:CareTeam')).toHaveLength(1);
    expect(await includedBy('_revinclude=Provenance:target:Goal')).toEqual([]);
  });
  test('of an unknown reference is a 400', async () => {
    for (const query of ['_include=CareTeam:leader:Practitioner', '_include=CareTeam:participant:x:y']) {
      expectError(await get(`/CareTeam?${query}`), 400, 'http._include');
    }
  });
});

describe('the chart of a patient: `Patient/{id}/{type}`', () => {
  test('is a search for the patient', async () => {
    const { json } = await get('/Patient/amy/Goal');
    expect(json.entry).toEqual((await get('/Goal?patient=amy')).json.entry);
    expect(json.link[0].url).toBe('../../Goal?patient=Patient%2Famy&_count=10&_offset=0');
  });
  test('takes the parameters of the search', async () => {
    expect((await get('/Patient/amy/Goal?_count=1')).json.entry).toHaveLength(1);
    expect((await get('/Patient/amy/Goal?patient=ben')).json.total).toBe(0);
    expectError(await get('/Patient/amy/Goal?goal=x'), 400, 'http.goal');
  });
  test('of a patient who is not in the directory is empty', async () => {
    expect((await get('/Patient/nobody/Immunization')).json.total).toBe(0);
  });
  test('of another patient is refused under a `patient/` scope', async () => {
    expectError(await get('/Patient/ben/Goal', { token: 'amy' }), 403);
    expect((await get('/Patient/amy/Goal', { token: 'amy' })).status).toBe(200);
  });
  test('has no other types, and no writes', async () => {
    expectError(await get('/Patient/amy/Observation'), 404);
    expectError(await send('POST', '/Patient/amy/Immunization', { body: statement() }), 405);
  });
});

describe('`handling=lenient` says what it ignored', () => {
  const lenient = { headers: { prefer: 'handling=lenient' } };
  const outcomeIn = ({ json }: Awaited<ReturnType<typeof get>>) =>
    json.entry?.find(
      ({ search }: { readonly search: { readonly mode: string } }) => search.mode === 'outcome',
    );

  test.each([
    '/Goal?patient=amy&',
    '/Provenance?target=Goal/walk&',
    '/Patient/amy/Goal?',
    '/Patient/amy/$everything?_type=Goal&',
  ])('in an entry of %s', async (path) => {
    const { json } = await get(`${path}pation=ben&_lang=en`, lenient);
    expect(outcomeIn({ json } as never)).toMatchObject({
      resource: {
        resourceType: 'OperationOutcome',
        issue: [
          {
            severity: 'warning',
            code: 'not-supported',
            details: { coding: [{ code: 'unknown-parameter' }] },
            diagnostics: expect.stringContaining('It was ignored.'),
            expression: ['http.pation'],
          },
          { expression: ['http._lang'] },
        ],
      },
      search: { mode: 'outcome' },
    });
  });
  test('which is not counted, and comes last', async () => {
    const { json } = await get('/Goal?patient=amy&pation=ben', lenient);
    expect(json.total).toBe(2);
    expect(json.entry).toHaveLength(3);
    expect(outcomeIn({ json } as never)).toEqual(json.entry[2]);
  });
  test('and nothing if it ignored nothing', async () => {
    expect(outcomeIn(await get('/Goal?patient=amy&_pretty=true', lenient))).toBeUndefined();
  });
  test('the typed search leaves it out', async () => {
    const parameters = new URLSearchParams('patient=amy&pation=ben');
    const bundle = await clinic.records.goals.search(parameters, { handling: 'lenient' });
    expect(bundle.entry?.map(({ resource }) => resource.id)).toEqual(['walk', 'swim']);
    const people = new URLSearchParams('_id=amy&pation=ben');
    const { entry } = await clinic.records.directory.search('Patient', people, { handling: 'lenient' });
    expect(entry?.map(({ resource }) => resource.id)).toEqual(['amy']);
  });
});
