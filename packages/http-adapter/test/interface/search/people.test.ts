import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, expect, test } from 'vitest';
import { goal } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('people are found by their names', (clinic) => {
  const people = {
    amir: {
      lastName: 'Nguyễn-Bergström',
      firstName: 'Amir Ali',
      gender: 'male',
      birthDate: '1961-08-23',
      identifier: [{ system: 'urn:mrn', value: 'R-1' }, { value: 'X|1' }],
    },
    fatima: {
      lastName: 'الزهراني',
      firstName: 'فاطمة',
      gender: 'female',
      birthDate: '1961-09',
      identifier: [{ system: 'urn:mrn', value: 'R-2' }],
      deceased: '2026-01-02T22:00:00-05:00',
    },
    bo: { lastName: 'Bo Diddley', birthDate: '1928', deceased: true, identifier: [{ system: 'urn:mrn' }] },
  } as const;

  beforeEach(async () => {
    const { directory } = clinic().records;
    for (const [id, name] of Object.entries(people)) await directory.put('Patient', { id, ...name });
  });

  const found = async (path: string) => idsOf(await clinic().get(path));

  test.each([
    ['name=berg', 'amir'],
    ['name=BERGSTROM', 'amir'],
    ['name=nguyen', 'amir'],
    ['name=Nguyễn-Bergström, Amir', 'amir'],
    ['name=ali nguy', 'amir'],
    ['name=ström', ''],
    ['name=amir x', ''],
    ['name=فاطمة', 'fatima'],
    ['name=ليلى', ''],
    ['name=diddley', 'bo'],
    ['name=ali n,bo d', 'amir bo'],
    ['name=ali x,bo d', 'bo'],
    ['name=amir&name=bergstrom', 'amir'],
    ['name=amir&name=diddley', ''],
    ['name=amir&_id=amir,bo', 'amir'],
    ['_id=bo', 'bo'],
    ['family=diddley', 'bo'],
    ['family=amir', ''],
    ['given=ali', 'amir'],
    ['given=nguy', ''],
    ['identifier=urn:mrn|R-1', 'amir'],
    ['identifier=R-2', 'fatima'],
    ['identifier=r-2', ''],
    ['identifier=urn:other|R-1', ''],
    ['identifier=urn:mrn|', 'amir fatima'],
    ['identifier=|X\\|1', 'amir'],
    ['identifier=R-1,R-2', 'amir fatima'],
    ['birthdate=1961-08-23', 'amir'],
    ['birthdate=1961', 'amir fatima'],
    ['birthdate=1961-08', 'amir'],
    ['birthdate=lt1950', 'bo'],
    ['birthdate=ge1961-09-01', 'fatima'],
    ['death-date=2026-01-03', 'fatima'],
    ['death-date=2026-01-02', ''],
    ['gender=female', 'fatima'],
    ['gender=http://hl7.org/fhir/administrative-gender|male', 'amir'],
    ['gender=male,female', 'amir fatima'],
    ['gender=other', ''],
    ['birthdate=1961-08-23&name=amir', 'amir'],
    ['birthdate=1961-08-23&name=fatima', ''],
    ['gender=male&name=nguyen', 'amir'],
    ['gender=female&name=nguyen', ''],
    ['birthdate=1961&family=nguyen', 'amir'],
    ['family=nguyen&gender=male', 'amir'],
    ['death-date=2026&family=الزهراني', 'fatima'],
    ['birthdate=ge1900&_sort=birthdate', 'bo amir fatima'],
    ['birthdate=ge1900&_sort=-birthdate', 'fatima amir bo'],
    ['_id=nobody', ''],
  ])('%s finds "%s"', async (query, ids) => {
    expect((await found(`/Patient?${encodeURI(query)}`)).join(' ')).toBe(ids);
  });

  test('each type by itself', async () => {
    expect(await found('/Practitioner?name=byr')).toEqual(['ada']);
    expect(await found('/Practitioner?name=shaw')).toEqual([]);
    expect(await found('/Organization?name=ltd%20la')).toEqual(['lab']);
    expect(await found('/Organization?_id=lab')).toEqual(['lab']);
    const { directory } = clinic().records;
    const identifier = [{ system: 'http://hl7.org/fhir/sid/us-npi', value: '9999999011' }];
    await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada', identifier });
    await directory.put('Organization', { id: 'lab', name: 'Lab Ltd', identifier });
    for (const [type, id] of [
      ['Practitioner', 'ada'],
      ['Organization', 'lab'],
    ]) {
      expect(await found(`/${type}?identifier=9999999011`)).toEqual([id]);
      expect(await found(`/${type}?identifier=1&name=l`)).toEqual([]);
    }
    expect(await found('/Patient?identifier=9999999011')).toEqual([]);
  });

  test('a match is shown as a read shows it', async () => {
    const { json } = await clinic().get('/Patient?name=nguy');
    expect(json.entry[0].resource).toEqual((await clinic().get('/Patient/amir')).json);
  });

  test('they are found by the names that they have now', async () => {
    const { directory } = clinic().records;
    await directory.put('Patient', { id: 'bo', lastName: 'Lane', firstName: 'Bo' });
    expect(await found('/Patient?name=diddley')).toEqual([]);
    expect(await found('/Patient?name=lane')).toEqual(['bo']);
  });

  test('a page of a sorted search continues after its last match', async () => {
    const first = await clinic().get('/Patient?birthdate=ge1900&_sort=birthdate&_count=2');
    expect([idsOf(first), first.json.total]).toEqual([['bo', 'amir'], 3]);
    const next = await clinic().get(`/${linkOf(first, 'next')}`);
    expect([idsOf(next), linkOf(next, 'next')]).toEqual([['fatima'], undefined]);
  });

  test('they are found by what they have now, and a re-import finds them again', async () => {
    const { directory } = clinic().records;
    await directory.put('Patient', { id: 'amir', ...people.amir, birthDate: '1962', identifier: null });
    expect(await found('/Patient?birthdate=1961')).toEqual(['fatima']);
    expect(await found('/Patient?identifier=R-1')).toEqual([]);
    expect(await found('/Patient?birthdate=1962&gender=male')).toEqual(['amir']);
  });

  test('a patient who was merged into another one is found, and says so', async () => {
    const merge = { by: 'Practitioner/ada', reason: 'Registered twice.' } as const;
    await clinic().records.corrections.mergePatients({ patientId: 'bo', toPatientId: 'amir', ...merge });
    const { json } = await clinic().get('/Patient?name=diddley');
    expect(json.entry[0].resource).toMatchObject({
      id: 'bo',
      active: false,
      link: [{ other: { reference: 'Patient/amir' } }],
    });
  });

  test('a patient who was erased is not found', async () => {
    const erasure = { by: 'Practitioner/ada', reason: 'Asked for it.' } as const;
    await clinic().records.corrections.erase({ resourceType: 'Patient', resourceId: 'bo', ...erasure });
    expect(await found('/Patient?name=diddley')).toEqual([]);
    expect(await found('/Patient?_id=bo')).toEqual([]);
  });

  test('everybody is found without a condition, in the order in which they were stored, page by page', async () => {
    const ids = await found('/Patient?_count=100');
    expect(ids.slice(-3)).toEqual(['amir', 'fatima', 'bo']);
    const pages: string[] = [];
    let next: string | undefined = 'Patient?_count=2';
    while (next !== undefined) {
      const page = await clinic().get(`/${next}`);
      expect(page.json.total).toBe(ids.length);
      pages.push(...idsOf(page));
      next = linkOf(page, 'next');
    }
    expect(pages).toEqual(ids);
  });

  test.each([
    ['name=-', 'name', 'search-string'],
    ['name=', 'name', 'empty-parameter'],
    ['name=shaw,', 'name', 'search-string'],
    [`name=${'a b,'.repeat(5)}c d`, 'name', 'too-many-values'],
    ['name:exact=shaw', 'name', 'modifier'],
    ['nmae=shaw', 'nmae', 'unknown-parameter'],
    ['_sort=name', '_sort', 'search-value'],
    ['birthdate=yesterday', 'birthdate', 'search-date'],
    ['gender=F', 'gender', 'search-code'],
    ['identifier=|', 'identifier', 'search-token'],
    ['telecom=1', 'telecom', 'unknown-parameter'],
    ['_id=a/b', '_id', 'search-id'],
  ])('%s is refused', async (query, parameter, rule) => {
    const answer = await clinic().get(`/Patient?${encodeURI(query)}`);
    expectError(answer, 400, `http.${parameter}`);
    expect(answer.json.issue[0].details.coding[0].code).toBe(rule);
  });

  test('a value has at most 32 choices of one word from each alternative', async () => {
    expect(await found(`/Patient?name=${encodeURI(`${'x y,'.repeat(4)}bo diddley`)}`)).toEqual(['bo']);
  });

  test('a `patient/` scope finds its patient, and everybody who works there', async () => {
    const send = (path: string) => clinic().send('GET', path, { token: 'amy' });
    expect(idsOf(await send('/Patient'))).toEqual(['amy']);
    expect(idsOf(await send('/Patient?name=bergstrom'))).toEqual([]);
    expect(idsOf(await send('/Patient?name=amy'))).toEqual(['amy']);
    expectError(await send('/Patient?_id=bo'), 403);
    expect(await send('/Patient?_id=nobody')).toEqual(await send('/Patient?_id=bo'));
    expect(idsOf(await send('/Practitioner?name=byr'))).toEqual(['ada']);
  });

  test('it needs a scope for searches of the type', async () => {
    for (const type of ['Patient', 'Practitioner', 'Organization']) {
      expectError(await clinic().send('GET', `/${type}?name=a`, { token: 'goals' }), 403);
    }
  });

  test('in TypeScript, too', async () => {
    const { directory } = clinic().records;
    const page = await directory.search('Patient', { name: 'diddley' });
    expect(page).toMatchObject({
      total: 1,
      entry: [{ resource: { resourceType: 'Patient', id: 'bo', name: [{ text: 'Bo Diddley' }] } }],
    });
    expect(JSON.parse(await directory.asJson.search('Patient', { name: 'diddley' }))).toEqual(page);
    const short = JSON.parse(await directory.asJson.search('Patient', { _summary: 'count' }));
    expect(short).toMatchObject({ total: expect.any(Number) });
    const outcomes = [
      directory.search('Encounter' as 'Patient', {}),
      directory.search('Patient', { name: '' }),
      directory.search('Patient', { _id: 'bo' }, { within: 'amy' }),
      directory.search('Practitioner', {}, { within: '' }),
      directory.search('Patient', new URLSearchParams('_summary=count')),
    ];
    expect(
      await Promise.all(outcomes.map(async (outcome) => (await outcomeOf(outcome)) as object)),
    ).toMatchObject(
      ['InvalidRequest', 'InvalidRequest', 'Forbidden', 'Forbidden', 'InvalidRequest'].map((_tag) => ({
        left: { _tag },
      })),
    );
  });

  test('a transaction finds whom it has put', async () => {
    const { records } = clinic();
    const totals = await records.transaction(async (tx) => {
      await tx.directory.put('Patient', { id: 'new', lastName: 'Newman' });
      return (await tx.directory.search('Patient', { name: 'newm' })).total;
    });
    expect([totals, await found('/Patient?name=newm')]).toEqual([1, ['new']]);
  });
});

test('whom only `resolve` knows is not found until a chart refers to that person', async () => {
  const records = createRecords(createMemoryStore(), {
    resolve: {
      Patient: (id) => ({ id, lastName: 'Zed' }),
      Practitioner: (id) => ({ id, lastName: 'Byron' }),
    },
  });
  const send = createSender(createHandler(records));
  expect((await send('GET', '/Patient/zoe')).status).toBe(200);
  expect(idsOf(await send('GET', '/Patient?name=zed'))).toEqual([]);
  await records.chart.record(goal({ patientId: 'zoe' }), { by: 'Practitioner/ada' });
  expect(idsOf(await send('GET', '/Patient?name=zed'))).toEqual(['zoe']);
});

test('a type that the host serves has the searches of the host, or none', async () => {
  const read = () => null;
  const find = () => ({ total: 0, resources: [] });
  const parameters = [{ name: 'phone', type: 'token', documentation: 'A number.' }] as const;
  const send = createSender(
    createHandler(createRecords(), {
      hostResources: {
        types: ['Patient', 'Practitioner'],
        read,
        searches: { Patient: { parameters, find } },
      },
    }),
  );
  expect((await send('GET', '/Patient?phone=1')).status).toBe(200);
  expectError(await send('GET', '/Patient?name=a'), 400, 'http.name');
  expectError(await send('GET', '/Practitioner?name=a'), 405);
  expect((await send('GET', '/Organization?name=a')).status).toBe(200);
});
