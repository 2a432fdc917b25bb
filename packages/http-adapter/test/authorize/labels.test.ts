import type { ChartCommandInput } from '@clinical-records/core';
import { beforeAll, expect, test } from 'vitest';
import type { Authorize } from '../../src/index.ts';
import { ada, oneCommandOfEach, statement, team } from '../builders.ts';
import type { Clinic } from '../clinic.ts';
import { expectError } from '../response-helpers.ts';
import { askedBy, openCharts } from './clinic.ts';

const labels = { security: [{ code: 'R' }], tag: [{ code: 'to-review' }] };

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openCharts();
  for (const command of oneCommandOfEach({ id: 'restricted' })) {
    await clinic.record(withLabels(command));
  }
  await clinic.put('/CareTeam/amy', { ...team(ada), meta: labels });
});

const withLabels = (command: ChartCommandInput) => ({ ...command, meta: labels }) as ChartCommandInput;

/** A host that shows nothing restricted. */
const hideRestricted: Authorize = ({ labels: { security = [] } }) =>
  security.some(({ code }) => code === 'R') ? 'deny' : 'allow';

test.each(['ServiceRequest', 'Goal', 'Immunization', 'CareTeam'])(
  'a read, a version and a history of a restricted %s are denied, and another one is shown',
  async (type) => {
    const { send, questions } = askedBy(clinic, hideRestricted);
    const [restricted, other] = type === 'CareTeam' ? ['amy', 'ben'] : ['restricted', 'amy'];
    for (const path of ['', '/_history/1', '/_history']) {
      expect((await send('GET', `/${type}/${restricted}${path}`)).status).toBe(404);
      expect(questions.at(-1)?.labels).toEqual(labels);
      expect((await send('GET', `/${type}/${other}${path}`)).status).toBe(200);
      expect(questions.at(-1)?.labels).toEqual({});
    }
    const initial = { ServiceRequest: 'S', Goal: 'G', Immunization: 'I', CareTeam: 'C' }[type];
    expect((await send('GET', `/Provenance/${initial}-${restricted}-1`)).status).toBe(404);
    expect((await send('GET', `/Provenance/${initial}-${other}-1`)).status).toBe(200);
  },
);

test('a PUT is asked about with the labels of the resource, and a POST with those that are sent', async () => {
  const { send, questions } = askedBy(clinic, hideRestricted);
  const inError = { ...statement({ status: 'entered-in-error' }), id: 'restricted' };
  expectError(await send('PUT', '/Immunization/restricted', { body: inError }), 405, 'Immunization.id');
  expectError(await send('PUT', '/CareTeam/amy', { body: team() }), 403);
  const sent = { ...statement(), meta: { ...labels, versionId: '1' } };
  expectError(await send('POST', '/Immunization', { body: sent }), 403);
  expect(questions.map((question) => question.labels)).toEqual([labels, labels, labels]);
});

test('a POST under a condition is asked about the immunization that it finds, too', async () => {
  const condition = 'urn:x:registry|A-1';
  const identifier = [{ system: 'urn:x:registry', value: 'A-1' }];
  await clinic.post('/Immunization', { ...statement({ identifier }), meta: labels });
  const before = await clinic.feed();
  const { send, questions } = askedBy(clinic, hideRestricted);
  const headers = { 'if-none-exist': `identifier=${condition}` };
  expectError(await send('POST', '/Immunization', { headers, body: statement({ identifier }) }), 403);
  expect(questions.map((question) => question.labels)).toEqual([{}, labels]);
  expect(await clinic.feed()).toEqual(before);
});

test('the resource in the response to a write is left out if its labels deny it', async () => {
  const { send, questions } = askedBy(
    clinic,
    (question) => (question.interaction === 'read' ? hideRestricted(question) : 'allow'),
    { defaultReturn: 'representation' },
  );
  const written = await send('PUT', '/CareTeam/amy', { body: team(ada) });
  expect([written.status, written.text]).toEqual([200, '']);
  expect(questions.at(-1)).toMatchObject({ interaction: 'read', labels });
});

test('a resource of the host has the labels that the host says', async () => {
  const read = (type: string, id: string) => ({
    ...{ resourceType: type, id, subject: { reference: 'Patient/amy' } },
    ...(id === 'restricted' && { meta: labels }),
    ...(id === 'odd' && { meta: { security: 'R' } }),
  });
  const { send } = askedBy(clinic, hideRestricted, { hostResources: { types: ['Condition'], read } });
  expect((await send('GET', '/Condition/restricted')).status).toBe(404);
  expect((await send('GET', '/Condition/plain')).status).toBe(200);
  expect((await send('GET', '/Condition/odd')).status).toBe(200);
});
