import type { AccessEvent } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { condition } from '../../../../examples/conditions/condition.ts';
import { createRecords } from '../../../core/src/clinical-records/create-records.ts';
import { definitionsOf } from '../../../core/src/host-type/kept-definitions.ts';
import { isEnteredInError } from '../../../core/src/records/page.ts';
import type { AnyResource } from '../../../core/src/resource-definition.ts';
import { resources, resourcesByType } from '../../../core/src/resources.ts';
import { goal } from '../builders.ts';
import { createHandler, createSender, extensionBase } from '../clinic.ts';
import { by, openClinic, sourceCondition } from './clinic.ts';

/** The definition that the library has made of the host's. */
const definition = definitionsOf([condition])[0] as AnyResource;

test('participants of any type get a status among the commands, and an id of a patient is audited as one', async () => {
  const { functions } = definition;
  const { setParticipantStatus } = resources.CareTeam.functions.asJson;
  const asJsonOf = (of: object): object => Reflect.get(of, 'asJson');
  const withParticipants: AnyResource = {
    ...definition,
    isOnePerPatient: true,
    functions: { ...functions, asJson: Object.assign({ setParticipantStatus }, asJsonOf(functions)) },
    requests: { setParticipantStatus: { errorTags: ['InvalidRequest'] } },
    createService: (environment, context) => {
      const service = definition.createService(environment, context);
      const asJson = asJsonOf(service);
      const read: (id: string) => unknown = Reflect.get(asJson, 'read');
      return { ...service, asJson: { ...asJson, setParticipantStatus: (id: string) => read(id) } };
    },
  };
  const events: AccessEvent[] = [];
  const store = createMemoryStore();
  const { records: clinic } = await openClinic(store);
  await clinic.chart.record(goal({ id: 'walk', patientId: 'amy' }), { by });
  const records = createRecords(
    { store, extensionBase, careTeamRoles: [], onAccess: (event) => events.push(event) },
    new Map([...resourcesByType, [definition.type, withParticipants]]),
  );
  await records.importer.load([sourceCondition('amy', 'amy')]);
  const send = createSender(createHandler(records, { chartCommands: true }));
  const path = '/commands/Condition/amy';
  const set = await send('POST', path, {
    body: { status: 'proposed' },
    headers: { prefer: 'return=representation' },
  });
  expect([set.status, set.json.id]).toEqual([200, 'amy']);
  expect((await send('GET', path)).headers.allow).toBe('POST');
  expect(Object.keys((await send('GET', '/openapi.json')).json.paths)).toContain('/commands/Condition/{id}');
  // The commands of other types, and the participants of care teams, are where they were.
  expect((await send('GET', '/commands/Goal/walk')).json.commands).toHaveLength(1);
  expect((await send('GET', '/commands/CareTeam/amy')).headers.allow).toBe('POST');
  events.length = 0;
  await send('GET', '/Condition/ben');
  expect(events).toMatchObject([{ outcome: 'refused', patientIds: ['ben'] }]);
});

test('each type says where a resource is entered in error, in whatever form another system has sent it', () => {
  const code = 'entered-in-error';
  const { Goal, ...others } = resources;
  expect(isEnteredInError(Goal, { lifecycleStatus: code })).toBe(true);
  for (const one of Object.values(others)) expect(isEnteredInError(one, { status: code })).toBe(true);
  const coding = [null, { code: 'confirmed' }, { code }];
  expect(isEnteredInError(definition, { verificationStatus: { coding } })).toBe(true);
  for (const verificationStatus of [undefined, null, 7, code, [code], { coding: code }, { code }])
    expect(isEnteredInError(definition, { verificationStatus, status: code })).toBe(false);
});
