import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import { ada, goal, hemoglobin, lab, labOrder, loinc, oneCommandOfEach, snomed } from '../../builders.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Search', (clinic) => {
  const order = (id: string, fields: Parameters<typeof labOrder>[0] = {}) =>
    clinic().record(labOrder({ id, ...fields }));
  const coded = (id: string, ...codes: string[]) =>
    order(id, { code: { coding: codes.map((code) => ({ system: loinc, code })) } });
  const search = (type: string, ...parameters: [string, string][]) =>
    clinic().get(`/${type}?${new URLSearchParams(parameters)}`);
  const found = async (...parameters: [string, string][]) =>
    idsOf(await search('ServiceRequest', ...parameters));

  describe('`patient=123` and `patient=Patient/123` mean the same', () => {
    test.each(resourceTypes)('%s', async (type) => {
      for (const command of oneCommandOfEach({ id: 'amy' })) await clinic().record(command);
      const [bare, whole] = [
        await search(type, ['patient', 'amy']),
        await search(type, ['patient', 'Patient/amy']),
      ];
      expect([bare.status, bare.json.total, bare.json.entry]).toEqual([
        200,
        whole.json.total,
        whole.json.entry,
      ]);
      expect(idsOf(bare)).toEqual(['amy']);
    });
  });

  describe('A comma is "or"', () => {
    test.each<[string, string, string[]]>([
      ['_id', 'one,three,none', ['one', 'three']],
      ['patient', 'Patient/ben,amy', ['one', 'two', 'three']],
      ['code', '1,3', ['one', 'three']],
      ['category', `363679005,${snomed}|108252007`, ['one', 'two', 'three']],
      ['status', 'draft,active', ['one', 'two', 'three']],
      ['authored', '2025-01,2025-03', ['one', 'three']],
    ])('%s=%s', async (name, value, ids) => {
      const days = { one: '2025-01-05', two: '2025-02-05', three: '2025-03-05' };
      for (const [index, [id, authoredOn]] of Object.entries(days).entries()) {
        const coding = [{ system: loinc, code: String(index + 1) } as const];
        await order(id, { code: { coding }, authoredOn, patientId: id === 'two' ? 'ben' : 'amy' });
      }
      expect(await found([name, value])).toEqual(ids);
    });
    test('an empty alternative matches nothing', async () => {
      for (const name of ['_id', 'patient', 'code', 'status', 'authored']) {
        expectError(await search('ServiceRequest', [name, ',']), 400, `http.${name}`);
      }
    });
  });

  describe('a repeated parameter is "and"', () => {
    test('for codes, on a resource with both', async () => {
      await coded('one', 'a');
      await coded('both', 'a', 'b');
      expect(await found(['code', 'a'], ['code', 'b'])).toEqual(['both']);
    });
    test('for dates, a range', async () => {
      for (const month of ['01', '02', '03']) await order(`m${month}`, { authoredOn: `2025-${month}-05` });
      expect(await found(['authored', 'ge2025-02-01'], ['authored', 'lt2025-03-01'])).toEqual(['m02']);
    });
    test('for patients, none', async () => {
      await order('one');
      expect(await found(['patient', 'amy'], ['patient', 'ben'])).toEqual([]);
    });
    test('and different parameters are "and", too', async () => {
      await order('one');
      await order('two', { kind: 'referral' });
      expect(await found(['patient', 'amy'], ['category', '386053000'])).toEqual(['two']);
      expect(await found(['patient', 'ben'], ['category', '386053000'])).toEqual([]);
    });
  });

  describe('a backslash escapes', () => {
    test.each<[string, string]>([
      ['a\\,b', 'comma'],
      ['a\\|b', 'bar'],
      ['a\\\\b', 'backslash'],
      ['a\\$b', 'dollar'],
      [`${loinc}|a\\,b`, 'comma'],
      [`${loinc}|a\\|b`, 'bar'],
    ])('%s', async (value, id) => {
      for (const [name, code] of Object.entries({
        comma: 'a,b',
        bar: 'a|b',
        backslash: 'a\\b',
        dollar: 'a$b',
        a: 'a',
        b: 'b',
      })) {
        await coded(name, code);
      }
      expect(await found(['code', value])).toEqual([id]);
    });
    test('an unescaped comma separates', async () => {
      for (const code of ['a', 'b', 'a,b']) await coded(code.replace(',', '-'), code);
      expect(await found(['code', 'a,b'])).toEqual(['a', 'b']);
      expect(await found(['code', 'a\\,b,b'])).toEqual(['b', 'a-b']);
    });
  });

  describe('Tokens: `code`, `system|code`, `system|`, `|code`', () => {
    test.each<[string, string[]]>([
      ['718-7', ['hb']],
      [`${loinc}|718-7`, ['hb']],
      [`${loinc}|`, ['hb', 'other']],
      ['|718-7', []],
      [`${snomed}|718-7`, []],
      [`${snomed}|`, []],
      ['718', []],
      ['718-7 ', []],
    ])('code=%s', async (value, ids) => {
      await order('hb', { code: { coding: [hemoglobin] } });
      await coded('other', '1-1');
      expect(await found(['code', value])).toEqual(ids);
    });
    test.each<[string, string[]]>([
      ['386053000', ['referral']],
      [`${snomed}|386053000`, ['referral']],
      [`${snomed}|`, ['imagingOrder', 'labOrder', 'referral']],
      ['|386053000', []],
    ])('category=%s', async (value, ids) => {
      for (const kind of ['imagingOrder', 'labOrder', 'referral'] as const) await order(kind, { kind });
      expect(await found(['category', value])).toEqual(ids);
    });
    test.each(['|', '', 'a|b|c', `${loinc}|718-7|`])('and nothing else: %s', async (value) => {
      expectError(await search('ServiceRequest', ['code', value]), 400, 'http.code');
    });
  });

  describe('references: `participant` by type and id, or only by the id', () => {
    test.each<[string, string[]]>([
      ['Practitioner/ada', ['amy']],
      ['ada', ['amy']],
      ['lab', ['ben']],
      ['Organization/lab,Practitioner/ada', ['amy', 'ben']],
      ['Organization/ada', []],
    ])('%s', async (value, ids) => {
      const teams = {
        amy: ada,
        ben: lab,
      };
      for (const [id, member] of Object.entries(teams)) {
        await clinic().put(`/CareTeam/${id}`, { id, participant: [member] });
      }
      expect(idsOf(await search('CareTeam', ['participant', value]))).toEqual(ids);
    });
  });

  describe('Unknown parameters are a 400 by default: a misspelt filter must not return the whole clinic', () => {
    test.each([
      ['ServiceRequest', 'specimen'],
      ['Goal', 'category'],
      ['CareTeam', 'encounter'],
      ['Immunization', 'subject'],
      ['Immunization', '_include'],
      ['Goal', '_contained'],
      ['Goal', 'PATIENT'],
      ['Goal', 'toString'],
    ])('%s?%s', async (type, name) => {
      expectError(await search(type, [name, 'amy']), 400, `http.${name}`);
    });
    test('`Prefer: handling=lenient` ignores them and leaves them out of `self`', async () => {
      await order('one');
      const answer = await clinic().get('/ServiceRequest?_contained=true&patient=amy&colour=red&_id=one', {
        headers: { prefer: 'handling=lenient' },
      });
      expect(idsOf(answer)).toEqual(['one']);
      expect(linkOf(answer, 'self')).toBe('ServiceRequest?patient=amy&_id=one&_count=10&_offset=0');
    });
    describe('If they were the only conditions of the search, it is still a 400', () => {
      const headers = { prefer: 'handling=lenient' };
      test.each([...resourceTypes, 'Provenance'])('%s', async (type) => {
        expectError(await clinic().get(`/${type}?pation=amy&_count=5`, { headers }), 400, 'http.pation');
      });
      test.each(resourceTypes)('POST /%s/_search', async (type) => {
        const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded' };
        const answer = await clinic().post(`/${type}/_search`, 'pation=amy', { headers: form });
        expectError(answer, 400, 'http.pation');
      });
      test('but not a search that is sent without conditions', async () => {
        await order('one');
        for (const query of ['', '?_count=5&_sort=authored', '?_contained=true&_pretty=true']) {
          expect(idsOf(await clinic().get(`/ServiceRequest${query}`, { headers }))).toEqual(['one']);
        }
      });
    });
    test.each([
      ['ServiceRequest', 'patient:exact', 'patient'],
      ['ServiceRequest', 'status:in', 'status'],
      ['CareTeam', 'participant:not', 'participant'],
      ['Immunization', 'patient.name', 'patient.name'],
      ['Goal', 'subject:Patient.name', 'subject'],
    ])(
      'A modifier or a chain on a known parameter is still a 400, because it changes the meaning: %s?%s',
      async (type, name, element) => {
        const headers = { prefer: 'handling=lenient' };
        const path = `/${type}?${name}=true`;
        expectError(await clinic().get(path), 400, `http.${element}`);
        expectError(await clinic().get(path, { headers }), 400, `http.${element}`);
        for (const unknown of ['colour:not=red', 'colour.name=red']) {
          expect((await clinic().get(`/${type}?patient=amy&${unknown}`, { headers })).status).toBe(200);
        }
      },
    );
    describe('An empty parameter, such as `status=`, is treated like an unknown one', () => {
      const headers = { prefer: 'handling=lenient' };
      test.each([...resourceTypes, 'Provenance', 'Patient', 'Practitioner'])('%s', async (type) => {
        const [condition, name] =
          type === 'Provenance' ? ['target=Goal/amy', '_id'] : ['_id=amy', 'identifier'];
        for (const empty of [name, '_count', '_offset', '_after', '_format'])
          expectError(await clinic().get(`/${type}?${condition}&${empty}=`), 400, `http.${empty}`);
        const { status, json } = await clinic().get(`/${type}?${name}=&${condition}&_count=&_format=`, {
          headers,
        });
        expect(status).toBe(200);
        expect(json.link[0].url).toBe(`${type}?${new URLSearchParams(condition)}&_count=10&_offset=0`);
        const { resource } = json.entry.at(-1);
        expect(resource.issue.map(({ expression }: { expression: string[] }) => expression)).toEqual(
          [name, '_count', '_format'].map((ignored) => [`http.${ignored}`]),
        );
        expectError(await clinic().get(`/${type}?${name}=&_count=5`, { headers }), 400, `http.${name}`);
      });
      test('refused: in a form, a history, a chart and $everything', async () => {
        await clinic().record(goal({ id: 'walk' }));
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        expectError(
          await clinic().post('/Goal/_search', 'patient=&_id=walk', { headers: form }),
          400,
          'http.patient',
        );
        for (const path of ['Goal/walk/_history?_since=', 'Patient/amy/$everything?_type='])
          expectError(await clinic().get(`/${path}`), 400, `http.${path.split(/[?=]/)[1]}`);
        const { json } = await clinic().get('/Patient/amy/Goal?_id=', { headers });
        expect([json.total, json.entry.length]).toEqual([1, 2]);
      });
    });
    test('but not wrong values of known parameters', async () => {
      const headers = { prefer: 'handling=lenient' };
      expectError(await clinic().get('/Goal?_count=x', { headers }), 400, 'http._count');
    });
  });

  describe('`POST /<Type>/_search` means the same as the GET', () => {
    test.each(resourceTypes)('%s', async (type) => {
      for (const command of oneCommandOfEach({ id: 'one' })) await clinic().record(command);
      const body = 'patient=Patient%2Famy&_count=1';
      const posted = await clinic().post(`/${type}/_search`, body, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      const got = await clinic().get(`/${type}?${body}`);
      const at = (page: string) => (link: { relation: string; url: string }) => [
        link.relation,
        new URL(link.url, `https://clinic.example/fhir/${type}${page}`).href,
      ];
      expect(posted.status).toBe(200);
      expect({ ...posted.json, link: posted.json.link.map(at('/_search')) }).toEqual({
        ...got.json,
        link: got.json.link.map(at('')),
      });
    });
    test('with parameters in the URL and in the body', async () => {
      await order('one');
      await order('two');
      const answer = await clinic().post('/ServiceRequest/_search?_id=two', 'patient=amy');
      expect(idsOf(answer)).toEqual(['two']);
    });
    test('including faults and scopes', async () => {
      expectError(await clinic().post('/Goal/_search', 'colour=red'), 400, 'http.colour');
      expectError(await clinic().post('/Goal/_search', 'patient=ben', { token: 'amy' }), 403);
      const headers = { 'content-type': 'application/json' };
      expectError(await clinic().post('/Goal/_search', {}, { headers }), 415);
    });
  });
});
