import type { ResourceType } from '@clinical-records/core';
import { deriveProvenance, resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  enteredInError,
  goal,
  immunizationStatement,
  labOrder,
  oneCommandOfEach,
  team,
} from '../../builders.ts';
import { createHandler, createSender, createSenderAs, type ParsedResponse } from '../../clinic.ts';
import { issuesOf } from '../../documents/check-profiles.ts';
import { cursorOf, expectError, expectNotFound, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

type Agent = {
  readonly type: { readonly coding: readonly [{ readonly code: string }] };
  readonly who: object;
};
type Provenance = {
  readonly id: string;
  readonly target: readonly [{ readonly reference: string }];
  readonly recorded: string;
  readonly activity: { readonly coding: readonly [{ readonly code: string }] };
  readonly agent: readonly Agent[];
};
type Entry = { readonly resource: Provenance; readonly search: { readonly mode: string } };

const provenancesIn = ({ json }: ParsedResponse): readonly Provenance[] =>
  (json.entry ?? []).map(({ resource }: Entry) => resource);

const lab = { reference: 'Organization/lab', display: 'Lab Ltd' } as const;

describe('a Provenance is valid FHIR, and names its US Core profile if it conforms to it', () => {
  test.each([
    ...[
      'Practitioner/ada',
      'PractitionerRole/x',
      'Device/lab',
      'Patient/amy',
      'Organization/lab',
      'Person/x',
    ],
    null,
  ])('by %s', (by) => {
    const version = { type: 'Goal', id: 'amy', version: 3 } as const;
    for (const organization of [lab, null]) {
      const derived = deriveProvenance(version, { at: 0, by, isFirst: false }, organization);
      expect(issuesOf({ ...derived })).toEqual([]);
    }
  });
});

onEveryStore(
  'Decisions: Provenance',
  (clinic) => {
    const get = (path: string, sent = {}) => clinic().get(`/${path}`, sent);
    const update = (progress: string) => clinic().record({ kind: 'updateGoal', goalId: 'amy', progress });
    const recordOneOfEach = async (id: string, patientId = id) => {
      for (const command of oneCommandOfEach({ id, patientId })) await clinic().record(command);
    };

    /** Writes two versions of a resource of each type. */
    const writeVersions = async () => {
      await clinic().record(goal({ id: 'amy' }));
      await clinic().record(immunizationStatement({ id: 'amy' }));
      const order = await clinic().record(labOrder({ id: 'amy' }));
      await update('One mile');
      await clinic().completeOrder(order.id, 'Practitioner/bob');
      await clinic().put('/CareTeam/amy', team(ada));
      await clinic().put('/Immunization/amy', enteredInError('amy'));
    };

    describe('Each version that can be read has a Provenance, which derives from it and is not stored', () => {
      test.each(resourceTypes)('%s', async (type) => {
        await writeVersions();
        const history = (await get(`${type}/amy/_history`)).json.entry.toReversed();
        const found = provenancesIn(await get(`Provenance?target=${type}/amy`));
        expect(found.map(({ target }) => target)).toEqual(
          history.map(({ resource }: { resource: { meta: { versionId: string } } }) => [
            { reference: `${type}/amy/_history/${resource.meta.versionId}`, type },
          ]),
        );
        expect(found.map(({ recorded }) => recorded)).toEqual(
          history.map(
            ({ resource }: { resource: { meta: { lastUpdated: string } } }) => resource.meta.lastUpdated,
          ),
        );
        for (const one of found) {
          const { status, headers, json } = await get(`Provenance/${one.id}`);
          expect([status, json, headers.etag]).toEqual([200, one, 'W/"1"']);
        }
        const types = (await clinic().feed()).map((entry) => entry.type);
        expect(types).not.toContain('Provenance');
      });
      test('but no version at which there was nothing to read', async () => {
        const staged = await clinic().stage(goal({ id: 'amy' }));
        expect(idsOf(await get('Provenance?target=Goal/amy'))).toEqual([]);
        await clinic().commit(staged.id);
        expect(idsOf(await get('Provenance?target=Goal/amy'))).toEqual(['G-amy-2']);
        expectNotFound(await get('Provenance/G-amy-1'), 'Provenance', 'G-amy-1');
      });
    });

    test('Its id is the initial of the type, the id and the version, such as `G-walk-3`; any other id is a 404', async () => {
      await clinic().put('/CareTeam/amy', team(ada));
      await clinic().put('/CareTeam/amy', team());
      const ids = idsOf(await get('Provenance?target=CareTeam/amy,CareTeam/amy.inactive'));
      expect(ids).toEqual(['C-amy-1', 'C-amy-2', 'C-amy-3', 'C-amy.inactive-1']);
      for (const id of ['C-amy-4', 'C-amy-0', 'C-amy.inactive-2', 'C-nobody-1', 'X-amy-1', 'amy']) {
        expectNotFound(await get(`Provenance/${id}`), 'Provenance', id);
      }
    });

    test('The first version has the activity CREATE, and each later one UPDATE', async () => {
      const staged = await clinic().stage(goal({ id: 'amy' }));
      await clinic().commit(staged.id);
      await update('One mile');
      const found = provenancesIn(await get('Provenance?target=Goal/amy'));
      expect(found.map(({ id, activity }) => [id, activity.coding[0].code])).toEqual([
        ['G-amy-2', 'CREATE'],
        ['G-amy-3', 'UPDATE'],
      ]);
    });

    describe('The author is the one who wrote the version', () => {
      const authors = async (target: string) =>
        provenancesIn(await get(`Provenance?target=${target}`)).map(({ agent }) => agent[0]?.who);
      const unknown = {
        extension: [
          { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' },
        ],
      };
      test('in the chart, and over HTTP', async () => {
        const order = await clinic().record(labOrder({ id: 'amy' }));
        await clinic().completeOrder(order.id, 'Practitioner/bob');
        expect(await authors('ServiceRequest/amy')).toEqual([
          { reference: 'Practitioner/ada', type: 'Practitioner' },
          { reference: 'Practitioner/bob', type: 'Practitioner' },
        ]);
        await createSenderAs(clinic(), { subject: 'Device/portal', scopes: ['system/*.*'] })(
          'PUT',
          '/CareTeam/ben',
          { body: { ...team(bob), id: 'ben' } },
        );
        expect(await authors('CareTeam/ben')).toEqual([
          unknown,
          { reference: 'Device/portal', type: 'Device' },
        ]);
      });
      test('A version without a named author, such as an import or a new name, has an unknown author', async () => {
        await clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Lee', firstName: 'Amy' });
        expect(await authors('CareTeam/amy')).toEqual([unknown, unknown]);
        await clinic().records.importer.load([
          {
            ...{ resourceType: 'Goal', id: 'imported', lifecycleStatus: 'active', startDate: '2025-01-01' },
            ...{ description: { text: 'Walk' }, subject: { reference: 'Patient/amy' } },
            expressedBy: { reference: 'Practitioner/ada' },
          },
        ]);
        expect(await authors('Goal/imported')).toEqual([unknown]);
      });
      test('An author whom FHIR does not allow as an agent, such as a Person, is a text', async () => {
        const send = createSenderAs(clinic(), { subject: 'Person/x', scopes: ['user/*.*'] });
        await send('PUT', '/CareTeam/amy', { body: team(bob) });
        expect((await authors('CareTeam/amy')).at(-1)).toEqual({ display: 'Person/x' });
      });
    });

    test("With the host's organization, staff and devices act on behalf of it, and it is the transmitter, on its own behalf", async () => {
      await clinic().record(goal({ id: 'amy' }));
      const organization = { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' };
      const { agent, meta } = (await get('Provenance/G-amy-1')).json;
      expect(agent).toMatchObject([
        { type: { coding: [{ code: 'author' }] }, onBehalfOf: organization },
        { type: { coding: [{ code: 'transmitter' }] }, who: organization, onBehalfOf: organization },
      ]);
      expect(meta.profile).toEqual(['http://hl7.org/fhir/us/core/StructureDefinition/us-core-provenance']);
    });
    test.each([
      ['Practitioner/bob', true],
      ['PractitionerRole/nurse', true],
      ['Device/portal', true],
      ['Organization/home', false],
      ['Patient/amy', false],
      ['RelatedPerson/mother', false],
      ['Person/x', false],
    ] as const)(
      "With the host's organization, staff and devices act on behalf of it, and it is the transmitter, on its own behalf: %s",
      async (subject, isOnBehalf) => {
        const organization = { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' };
        const send = createSenderAs(clinic(), { subject, scopes: ['user/*.*'] });
        await send('PUT', '/CareTeam/amy', { body: team(bob) });
        const { agent } = (await get('Provenance/C-amy-2')).json;
        expect(agent[0].onBehalfOf).toEqual(isOnBehalf ? organization : undefined);
        expect(agent[1]).toMatchObject({ who: organization, onBehalfOf: organization });
      },
    );

    describe('`_revinclude=Provenance:target` adds the Provenance of each match, in the version on the page; it is not counted', () => {
      test.each(resourceTypes)('%s', async (type) => {
        await writeVersions();
        const { text } = await get(`${type}?patient=amy`);
        const plain = JSON.parse(text);
        for (const answer of [
          await get(`${type}?patient=amy&_revinclude=Provenance:target`),
          await clinic().post(`/${type}/_search`, 'patient=amy&_revinclude=Provenance%3Atarget'),
        ]) {
          expect([answer.status, answer.json.total]).toEqual([200, plain.total]);
          const matched = answer.json.entry.slice(0, plain.total);
          expect(matched).toEqual(plain.entry);
          const included: readonly Entry[] = answer.json.entry.slice(plain.total);
          expect(included.map(({ search }) => search.mode)).toEqual(matched.map(() => 'include'));
          for (const [at, { resource }] of included.entries()) {
            const { id, meta } = matched[at].resource;
            expect(resource.target[0].reference).toBe(`${type}/${id}/_history/${meta.versionId}`);
            expect(resource).toEqual((await get(`Provenance/${resource.id}`)).json);
          }
        }
      });
      test('on each page those of its matches, from link to link', async () => {
        for (const id of ['one', 'two', 'three']) await clinic().record(goal({ id }));
        const first = await get('Goal?_count=2&_revinclude=Provenance:target');
        expect([first.json.total, idsOf(first)]).toEqual([3, ['one', 'two', 'G-one-1', 'G-two-1']]);
        const next = await get(linkOf(first, 'next') ?? '');
        expect([next.json.total, idsOf(next)]).toEqual([3, ['three', 'G-three-1']]);
        expect(idsOf(await get('Goal?_count=0&_revinclude=Provenance:target'))).toEqual([]);
      });
      test('with absolute links, each has its own URL', async () => {
        await clinic().record(goal({ id: 'amy' }));
        const base = 'https://clinic.example/r4';
        const send = createSender(createHandler(clinic().records, { baseUrl: base, links: 'absolute' }));
        const { json } = await send('GET', '/Goal?_revinclude=Provenance:target');
        expect(json.entry[1].fullUrl).toBe(`${base}/Provenance/G-amy-1`);
        const found = await send('GET', '/Provenance?target=Goal/amy');
        expect([found.json.entry[0].fullUrl, found.json.link[0].url]).toEqual([
          `${base}/Provenance/G-amy-1`,
          `${base}/Provenance?target=Goal%2Famy&_count=10&_offset=0`,
        ]);
      });
      test('no other value is allowed, and no modifier', async () => {
        for (const value of [
          '',
          '*',
          'Provenance',
          'Provenance:agent',
          'Provenance:target,Provenance:target',
        ]) {
          expectError(await get(`Goal?_revinclude=${value}`), 400, 'http._revinclude');
        }
        expectError(await get('Goal?_revinclude:iterate=Provenance:target'), 400, 'http._revinclude');
        expectError(await get('Provenance?_revinclude=Provenance:target&_id=x'), 400, 'http._revinclude');
      });
    });

    describe('A search names a `target`, with or without a version, or an `_id`', () => {
      test.each([
        ['target=Goal/amy', ['G-amy-1', 'G-amy-2']],
        ['target=Goal/amy/_history/2', ['G-amy-2']],
        ['target=Goal/amy/_history/2,ServiceRequest/amy', ['S-amy-1', 'G-amy-2']],
        ['target=amy', ['C-amy-1', 'S-amy-1', 'G-amy-1', 'I-amy-1', 'G-amy-2']],
        ['_id=G-amy-2,I-amy-1,X-1,x', ['I-amy-1', 'G-amy-2']],
        ['target=Goal/amy&_id=G-amy-1,S-amy-1', ['G-amy-1']],
        ['target=Goal/amy&target=ServiceRequest/amy', []],
        ['target=Goal/nobody', []],
        ['target=CareTeam/nobody.inactive', []],
      ])('%s', async (query, ids) => {
        await recordOneOfEach('amy');
        await update('One mile');
        const found = await get(`Provenance?${query}`);
        expect([idsOf(found), found.json.total]).toEqual([ids, ids.length]);
        const posted = await clinic().post('/Provenance/_search', query);
        expect(posted.json.entry).toEqual(found.json.entry);
      });
      test('Any other search is a 400', async () => {
        expectError(await get('Provenance'), 400);
        expectError(await get('Provenance?patient=amy'), 400, 'http.patient');
        for (const target of [
          '',
          'Patient/amy',
          'amy/_history/1',
          'Goal/amy/_history/0',
          'Goal/amy/_history',
          'Goal/amy/2',
        ]) {
          expectError(await get(`Provenance?target=${target}`), 400, 'http.target');
        }
        const many = Array.from({ length: 101 }, (_, at) => `Goal/${at}`);
        expectError(await get(`Provenance?target=${many}`), 400);
      });
      test('Its pages are like those of other searches, and repeat nothing that is written meanwhile', async () => {
        await clinic().record(goal({ id: 'amy' }));
        for (const progress of ['a', 'b', 'c']) await update(progress);
        const walked: string[] = [];
        let url: string | undefined = 'Provenance?target=Goal/amy&_count=2';
        while (url !== undefined) {
          const page = await get(url);
          expect(page.json.total).toBe(4 + walked.length / 2);
          walked.push(...idsOf(page).slice(0, 4 - walked.length));
          url = walked.length < 4 ? linkOf(page, 'next') : undefined;
          await update('meanwhile');
        }
        expect(walked).toEqual(['G-amy-1', 'G-amy-2', 'G-amy-3', 'G-amy-4']);
        expect(idsOf(await get('Provenance?target=Goal/amy&_count=1&_offset=1'))).toEqual(['G-amy-2']);
        const after = cursorOf('S-amy-1');
        expectError(await get(`Provenance?target=Goal/amy&_after=${after}`), 400, 'http._after');
      });
    });

    describe('A reader of a Provenance may also read its target: both scopes are needed, and the limits of both hold', () => {
      const as = (...scopes: readonly string[]) =>
        createSenderAs(clinic(), { scopes: scopes.join(' '), patient: 'amy' });
      const paths = [
        'Provenance/G-amy-1',
        'Provenance?target=Goal/amy',
        'Goal?_revinclude=Provenance:target',
      ];

      test('without one of the scopes, the response is a 403', async () => {
        await clinic().record(goal({ id: 'amy' }));
        for (const path of paths) {
          expect((await as('user/Goal.rs', 'user/Provenance.rs')('GET', `/${path}`)).status).toBe(200);
          expectError(await clinic().get(`/${path}`, { token: null }), 401);
          expect((await as('user/Goal.rs')('GET', `/${path}`)).status).toBe(403);
          expect((await as('user/Provenance.rs', 'user/CareTeam.rs')('GET', `/${path}`)).status).toBe(403);
        }
      });
      test("under a `patient/` scope, nothing of another patient's chart is there", async () => {
        await recordOneOfEach('amy');
        await recordOneOfEach('ben');
        for (const scopes of [
          'patient/*.rs',
          'user/Provenance.rs patient/*.rs',
          'patient/*.rs user/Goal.rs',
        ]) {
          const send = as(scopes);
          expectNotFound(await send('GET', '/Provenance/G-ben-1'), 'Provenance', 'G-ben-1');
          expect(idsOf(await send('GET', '/Provenance?target=Goal/ben,Goal/amy'))).toEqual(['G-amy-1']);
          expect(idsOf(await send('GET', '/Provenance?_id=I-ben-1'))).toEqual([]);
        }
      });
      test('a `target` without a type leaves out the types that the sender may not read; if that is all of them, the response is a 403', async () => {
        await clinic().record(goal({ id: 'walk' }));
        for (const scopes of ['patient/*.rs', 'user/Provenance.rs user/Goal.rs']) {
          expect(idsOf(await as(scopes)('GET', '/Provenance?target=walk'))).toEqual(['G-walk-1']);
        }
        await recordOneOfEach('ben');
        const send = as('patient/*.rs');
        expect(idsOf(await send('GET', '/Provenance?target=ben,walk'))).toEqual(['G-walk-1']);
        expectError(await send('GET', '/Provenance?target=CareTeam/ben,walk'), 403);
        expectError(await as('user/Provenance.rs')('GET', '/Provenance?target=walk'), 403);
      });
      test('what a search includes is derived from the versions that its reader may read', async () => {
        await clinic().record(goal({ id: 'amy', patientId: 'ben' }));
        await clinic().records.corrections.moveToPatient({
          ...{ resourceType: 'Goal', resourceId: 'amy', toPatientId: 'amy' },
          ...{ by: 'Practitioner/ada', reason: 'Two charts were open.' },
        });
        const send = as('patient/Goal.rs', 'user/Provenance.rs');
        const read = (await send('GET', '/Provenance/G-amy-2')).json;
        const { entry } = (await send('GET', '/Goal?_revinclude=Provenance:target')).json;
        expect(read.activity.coding[0].code).toBe('CREATE');
        expect(entry[1].resource).toEqual(read);
      });
      test.each<[ResourceType]>(resourceTypes.map((type) => [type]))(
        'a limit on Provenance holds for what a search of %s includes',
        async (type) => {
          for (const id of ['amy', 'ben']) {
            await recordOneOfEach(id);
            await clinic().put(`/CareTeam/${id}`, { ...team(ada), id });
          }
          const send = as(`user/${type}.rs`, 'patient/Provenance.rs');
          const found = idsOf(await send('GET', `/${type}?_revinclude=Provenance:target`));
          expect(found).toEqual(['amy', 'ben', `${type[0]}-amy-${type === 'CareTeam' ? 2 : 1}`]);
        },
      );
    });

    test('the limit of a search counts as it is at the call, whatever its caller changes since', async () => {
      await recordOneOfEach('amy');
      await recordOneOfEach('ben');
      const { provenance } = clinic().records;
      const others = Array.from({ length: 10 }, (_, index) => `Goal/other-${index}`);
      const asked = new URLSearchParams({ target: [...others, 'Goal/ben'].join(',') });
      const options = { within: 'amy' };
      const search = provenance.search(asked, options);
      options.within = 'ben';
      expect((await search).total).toBe(0);
      expect((await provenance.search(asked, options)).total).toBeGreaterThan(0);
    });

    test('In process, too: the limit of a search also limits what it includes', async () => {
      await recordOneOfEach('amy');
      await recordOneOfEach('ben');
      const { provenance, goals } = clinic().records;
      const { agent } = await provenance.read('G-amy-1', { within: 'amy' });
      expect(agent[0]?.who.reference).toBe('Practitioner/ada');
      await expect(async () => provenance.read('G-ben-1', { within: 'amy' })).rejects.toThrow(
        'no such record',
      );
      const { total } = await provenance.search({ target: ['Goal/ben', 'Goal/ben'] }, { within: 'amy' });
      expect(total).toBe(0);
      const text = await goals.asJson.search(
        { patient: 'amy', _revinclude: 'Provenance:target' },
        { within: 'amy' },
      );
      expect(JSON.parse(text).entry).toHaveLength(2);
      const pairs = new URLSearchParams({ patient: 'amy', _revinclude: 'Provenance:target' });
      await expect(async () => goals.search(pairs)).rejects.toMatchObject({
        issues: [{ rule: 'json-only', expression: '_revinclude' }],
      });
      const withoutValue = { within: undefined } as object;
      await expect(async () => provenance.read('G-amy-1', withoutValue)).rejects.toMatchObject({
        tag: 'Forbidden',
      });
    });
  },
  { organization: lab },
);
