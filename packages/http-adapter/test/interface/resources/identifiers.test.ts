import type { ChartCommandInput } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { ada, goal, labOrder, oneCommandOfEach, statement, team } from '../../builders.ts';
import { sourceCareTeam } from '../../library/importer/source-resources.ts';
import { expectError, expectNullBody, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const system = 'urn:x:registry';
const identifier = [
  {
    use: 'official',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'FILL' }] },
    system,
    value: 'A-1',
    period: { start: '2026-01-01' },
    assigner: { reference: 'Organization/lab', type: 'Organization', display: 'Lab' },
  },
  { value: 'local' },
  { system: 'urn:x:empty' },
];

onEveryStore('Decisions: Identifiers', (clinic) => {
  const read = async (path: string) => (await clinic().get(`/${path}`)).json;
  const found = async (query: string) => idsOf(await clinic().get(`/${query}`));

  describe('The identifiers of each type are stored, and read with the resource', () => {
    test('of a POST, a command and an import, and in an export', async () => {
      const { headers } = await clinic().post('/Immunization', { ...statement(), identifier });
      const id = headers.location?.split('/').at(-1);
      expect((await read(`Immunization/${id}`)).identifier).toEqual(identifier);
      for (const command of oneCommandOfEach({ id: 'chart' })) {
        await clinic().record({ ...command, identifier } as ChartCommandInput);
      }
      for (const type of ['ServiceRequest', 'Goal', 'Immunization']) {
        const resource = await read(`${type}/chart`);
        expect(resource.identifier).toEqual(identifier);
      }
      const { resources } = await clinic().records.exporter.begin({ types: ['Goal'] });
      for await (const { json } of resources) expect(JSON.parse(json).identifier).toEqual(identifier);
    });

    test('of an import, without parts that are not valid', async () => {
      const sent = { resourceType: 'Immunization', id: 'i', ...statement() };
      const invalid = [{ ...identifier[0], use: 'best' }, {}, 'A-2'];
      const { warnings } = await clinic().records.importer.load([{ ...sent, identifier: invalid }]);
      expect(warnings.map(({ expression }) => expression)).toEqual([
        'Immunization.identifier[0].use',
        'Immunization.identifier[1]',
        'Immunization.identifier[2]',
      ]);
      const { use: _, ...rest } = identifier[0] ?? {};
      expect((await read('Immunization/i')).identifier).toEqual([rest]);
    });

    test('of a care team, in each of its statuses', async () => {
      await clinic().put('/CareTeam/amy', { ...team(ada), identifier });
      await clinic().put('/CareTeam/amy', team());
      for (const id of ['amy', 'amy.inactive']) {
        expect((await read(`CareTeam/${id}`)).identifier).toEqual(identifier);
      }
      const imported = sourceCareTeam('amy', [ada], { identifier: [{ system, value: 'A-2' }] });
      await clinic().records.importer.load([imported]);
      // The clinic has changed the participant, so nothing of the team joins.
      expect((await read('CareTeam/amy')).identifier).toEqual(identifier);
      await clinic().put('/CareTeam/amy', { ...team(), identifier: [{ system, value: 'A-3' }] });
      expect((await read('CareTeam/amy')).identifier).toEqual([{ system, value: 'A-3' }]);
    });

    test('a part that is not valid is a 400', async () => {
      const wrong = { ...statement(), identifier: [{ ...identifier[0], value: 7 }] };
      expectError(await clinic().post('/Immunization', wrong), 400, 'Immunization.identifier[0].value');
    });
  });

  describe('`identifier` finds resources by `system|value`, `value`, `system|` or `|value`', () => {
    test.each(['ServiceRequest', 'Goal', 'Immunization', 'CareTeam'])('%s', async (type) => {
      for (const [id, patientId] of [
        ['amy', 'amy'],
        ['ben', 'ben'],
      ] as const) {
        const sent = id === 'amy' ? identifier : [{ system: 'urn:x:other', value: 'A-1' }];
        for (const command of oneCommandOfEach({ id, patientId })) {
          await clinic().record({ ...command, identifier: sent } as ChartCommandInput);
        }
        await clinic().put(`/CareTeam/${id}`, { id, identifier: sent });
      }
      expect(await found(`${type}?identifier=${system}|A-1`)).toEqual(['amy']);
      expect(await found(`${type}?identifier=A-1`)).toEqual(['amy', 'ben']);
      expect(await found(`${type}?identifier=A-1&patient=ben`)).toEqual(['ben']);
      expect(await found(`${type}?identifier=${system}|`)).toEqual(['amy']);
      expect(await found(`${type}?identifier=|local`)).toEqual(['amy']);
      expect(await found(`${type}?identifier=|A-1,${system}|A-2`)).toEqual([]);
    });

    test('a change of a care team is found, and its former identifier is not', async () => {
      await clinic().put('/CareTeam/amy', { ...team(ada), identifier });
      await clinic().put('/CareTeam/amy', { ...team(ada), identifier: [{ system, value: 'A-9' }] });
      expect(await found(`CareTeam?identifier=${system}|A-1`)).toEqual([]);
      expect(await found(`CareTeam?identifier=${system}|A-9`)).toEqual(['amy']);
    });
  });

  test('`requisition` finds orders by the number under which they were ordered together', async () => {
    const requisition = { system: 'urn:x:requisitions', value: 'R-1' };
    await clinic().stage(labOrder({ id: 'a', requisition }));
    await clinic().stage(labOrder({ id: 'b', requisition }));
    await clinic().stage(labOrder({ id: 'c', identifier: [requisition] }));
    expect((await read('ServiceRequest/a')).requisition).toEqual(requisition);
    expect(await found('ServiceRequest?requisition=urn:x:requisitions|R-1')).toEqual(['a', 'b']);
    expect(await found('ServiceRequest?identifier=urn:x:requisitions|R-1')).toEqual(['c']);
  });

  test('A goal is found by a code of its description, too', async () => {
    const descriptionCoding = [{ system: 'http://snomed.info/sct', code: '281090004' }, { display: 'x' }];
    await clinic().record(goal({ id: 'g', description: 'Walk', descriptionCoding }));
    expect(await found('Goal?description=http://snomed.info/sct|281090004')).toEqual(['g']);
    expect(await found('Goal?description=Walk')).toEqual(['g']);
    expect(await found('Goal?description=x')).toEqual([]);
  });

  test('what was read can be sent back', async () => {
    await clinic().put('/CareTeam/amy', { ...team(ada), identifier });
    const before = await read('CareTeam/amy');
    const strict = { headers: { prefer: 'handling=strict' } };
    expectNullBody(await clinic().put('/CareTeam/amy', before, strict), 200);
    expect(await read('CareTeam/amy')).toEqual(before);
  });
});
