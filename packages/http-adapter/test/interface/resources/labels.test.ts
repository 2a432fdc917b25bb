import type { ChartCommandInput } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { ada, enteredInError, oneCommandOfEach, statement, team } from '../../builders.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const restricted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-Confidentiality',
  code: 'R',
  display: 'restricted',
};
const tag = { system: 'https://clinic.example/tags', code: 'to-review', userSelected: true };
const labels = { security: [restricted], tag: [tag] };
const subsetted = { system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'SUBSETTED' };

onEveryStore('Decisions: The past', (clinic) => {
  const metaOf = async (path: string) => (await clinic().get(`/${path}`)).json.meta;

  describe('`meta.security` and `meta.tag` are stored, and read with the resource', () => {
    test('of a POST, read, found, in its history and after a PUT', async () => {
      const sent = { ...statement(), meta: { ...labels, versionId: '9', source: 'urn:x' } };
      const created = await clinic().post('/Immunization', sent);
      const [, id = ''] = /Immunization\/(.+)$/.exec(created.headers.location ?? '') ?? [];
      const meta = {
        versionId: '1',
        lastUpdated: expect.any(String),
        profile: [expect.any(String)],
        ...labels,
      };
      expect(await metaOf(`Immunization/${id}`)).toEqual(meta);
      const found = await clinic().get('/Immunization?patient=amy');
      expect(found.json.entry[0].resource.meta).toEqual(meta);
      expectNullBody(await clinic().put(`/Immunization/${id}`, enteredInError(id)), 200);
      expect(await metaOf(`Immunization/${id}`)).toEqual({ ...meta, versionId: '2' });
      expect(await metaOf(`Immunization/${id}/_history/1`)).toEqual(meta);
    });

    test('of a command, and of an import', async () => {
      for (const command of oneCommandOfEach({ id: 'chart' })) {
        await clinic().record({ ...command, meta: labels } as ChartCommandInput);
      }
      for (const type of ['ServiceRequest', 'Goal', 'Immunization']) {
        const { json } = await clinic().get(`/${type}/chart`);
        expect(json.meta).toMatchObject(labels);
        const imported = { ...json, id: 'imported' };
        const report = await clinic().records.importer.load([imported]);
        expect(report.issues).toEqual([]);
        expect(await metaOf(`${type}/imported`)).toMatchObject(labels);
      }
    });

    test('of an export, and of a resource that does not conform to its profile', async () => {
      const vaccineCode = { coding: [{ system: 'unstructured', code: 'Flu shot' }] };
      await clinic().post('/Immunization', { ...statement({ vaccineCode }), meta: labels });
      const { resources } = await clinic().records.exporter.begin({ types: ['Immunization'] });
      for await (const { json } of resources) {
        const meta = { versionId: '1', lastUpdated: expect.any(String), ...labels };
        expect(JSON.parse(json).meta).toEqual(meta);
      }
      expect.assertions(1);
    });

    test('a label that is not valid is a 400, and an issue of an import', async () => {
      const wrong = { security: [{ ...restricted, code: ' R' }] };
      const path = 'Immunization.meta.security[0].code';
      expectError(await clinic().post('/Immunization', { ...statement(), meta: wrong }), 400, path);
      expectError(
        await clinic().post('/Immunization', { ...statement(), meta: { labels: [] } }),
        400,
        'Immunization.meta.labels',
      );
      const sent = { resourceType: 'Immunization', id: 'wrong', ...statement() };
      const report = await clinic().records.importer.load([{ ...sent, meta: { security: [restricted, 7] } }]);
      expect(report.warnings).toMatchObject([
        { rule: 'left-out', expression: 'Immunization.meta.security[1]', outcome: 'imported' },
      ]);
      expect((await metaOf('Immunization/wrong')).security).toEqual([restricted]);
    });

    test('a list of a search by elements adds to the tags, and takes none away', async () => {
      await clinic().post('/Immunization', { ...statement(), meta: labels });
      const found = await clinic().get('/Immunization?patient=amy&_elements=status');
      const { security, tag: tags } = found.json.entry[0].resource.meta;
      expect([security, tags]).toEqual([[restricted], [tag, { ...subsetted, display: 'subsetted' }]]);
    });
  });

  test('A body with the tag SUBSETTED is a 400, because only a part of the resource was sent', async () => {
    const meta = { tag: [tag, subsetted] };
    const expression = (type: string) => `${type}.meta.tag[1]`;
    expectError(
      await clinic().post('/Immunization', { ...statement(), meta }),
      400,
      expression('Immunization'),
    );
    expectError(await clinic().put('/CareTeam/amy', { ...team(ada), meta }), 400, expression('CareTeam'));
    expect((await clinic().get('/CareTeam/amy')).json).not.toHaveProperty('participant');
    expectNullBody(await clinic().put('/CareTeam/amy', { ...team(ada), meta: { tag: [tag] } }), 200);
  });

  describe('Each status of a care team has the labels of the team', () => {
    test('a PUT replaces a list that it sends, and keeps the others', async () => {
      await clinic().put('/CareTeam/amy', { ...team(ada), meta: labels });
      expect(await metaOf('CareTeam/amy')).toMatchObject({ versionId: '2', ...labels });
      await clinic().put('/CareTeam/amy', { ...team(), meta: { security: [] } });
      expect(await metaOf('CareTeam/amy')).toEqual({
        versionId: '3',
        lastUpdated: expect.any(String),
        ...labels,
      });
      expect(await metaOf('CareTeam/amy.inactive')).toMatchObject({ versionId: '1', ...labels });
      const normal = { ...restricted, code: 'N', display: 'normal' };
      await clinic().put('/CareTeam/amy', { ...team(), meta: { security: [normal] } });
      const expected = { security: [normal], tag: [tag] };
      expect(await metaOf('CareTeam/amy')).toMatchObject({ versionId: '4', ...expected });
      expect(await metaOf('CareTeam/amy.inactive')).toMatchObject({ versionId: '2', ...expected });
      expect(await metaOf('CareTeam/amy/_history/2')).toMatchObject(labels);
      expect(await metaOf('CareTeam/amy.proposed')).toBeUndefined();
    });

    test('a new label is a change of the team', async () => {
      await clinic().put('/CareTeam/amy', team(ada));
      const before = (await clinic().get('/CareTeam/amy')).headers['last-modified'];
      await clinic().put('/CareTeam/amy', { ...team(ada), meta: labels });
      const stale = { headers: { 'if-unmodified-since': `${before}` } };
      expectError(await clinic().put('/CareTeam/amy', team(ada), stale), 412);
    });

    test('an import adds them with the participants, and the host keeps them', async () => {
      const { records } = clinic();
      await clinic().put('/CareTeam/amy', { ...team(ada), meta: { tag: [tag] } });
      const { json } = await clinic().get('/CareTeam/amy');
      const [participant] = json.participant;
      const bob = { ...participant, extension: [], member: { reference: 'Practitioner/bob' } };
      const role = [{ coding: [{ system: 'http://snomed.info/sct', code: '224535009' }] }];
      const imported = { ...json, meta: labels, participant: [{ ...bob, role }] };
      const report = await records.importer.load([imported]);
      expect(report).toMatchObject({ imported: { CareTeam: 1 }, issues: [] });
      expect(await metaOf('CareTeam/amy')).toMatchObject({ versionId: '3', ...labels });
      await records.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'suspended');
      expect(await metaOf('CareTeam/amy.suspended')).toMatchObject(labels);
      await records.careTeams.removeAllParticipants('amy');
      expect(await metaOf('CareTeam/amy')).toMatchObject(labels);
    });
  });
});
