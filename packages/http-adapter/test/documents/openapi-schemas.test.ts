import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { goal, immunizationStatement, immunize, labOrder, statement } from '../builders.ts';
import {
  type Clinic,
  createHandler,
  createRecords,
  createSender,
  openClinic,
  type RequestOptions,
} from '../clinic.ts';
import {
  careTeam,
  mistakenStatement,
  newDose,
  newGoal,
  newOrder,
  newStatement,
  newStatementWithElements,
  proposedMember,
} from '../fuzz/valid-bodies.ts';
import { doseElements, orderElements } from './clinical-elements.ts';
import { createValidator, type Document, fetchDocument, findOperation } from './openapi-document.ts';

let clinic: Clinic;
let versions = 0;
let document: Document;
let faultsOf: ReturnType<typeof createValidator>;

/** A clinic that serves everything that a host can turn on and that the description has. */
const openWholeClinic = async (): Promise<Clinic> => {
  const opened = await openClinic(createMemoryStore());
  return { ...opened, send: createSender(createHandler(opened.records, { chartCommands: true })) };
};

const openFilled = async (): Promise<Clinic> => {
  const filled = await openWholeClinic();
  await filled.stage(goal({ id: 'staged' }));
  for (const command of [
    labOrder({
      id: 'test',
      occurrencePeriod: { start: '2026-03-02', end: '2026-03-09T08:00:00Z' },
      reasonConditionIds: ['c'],
    }),
    goal({
      startDate: '2026-03',
      dueDate: '2026-06-01',
      priority: 'high-priority',
      achievementStatus: 'improving',
      progress: 'Half a mile',
    }),
    immunize({
      statusReason: { coding: [{ code: 'PATOBJ' }] },
      note: [{ text: 'Refused' }],
      ...doseElements,
    }),
    immunizationStatement({ id: 'told' }),
    labOrder({ id: 'weekly', ...orderElements }),
  ]) {
    await filled.record(command);
  }
  return filled;
};

beforeAll(async () => {
  document = await fetchDocument(await openWholeClinic());
  faultsOf = createValidator(document);
});

// Most requests only read, and the next one can use the same clinic.
beforeEach(async () => {
  if (versions > 0 && (await clinic.feed()).length === versions) return;
  clinic = await openFilled();
  versions = (await clinic.feed()).length;
});

const representation = { prefer: 'return=representation' };
const outcome = { prefer: 'return=OperationOutcome' };

const requests: readonly (readonly [status: number, method: string, path: string, sent: RequestOptions])[] = [
  [200, 'GET', '/ServiceRequest/test', {}],
  [200, 'GET', '/ServiceRequest/weekly', {}],
  [200, 'GET', '/ServiceRequest?status=active', {}],
  [200, 'GET', '/Goal/walk', {}],
  [200, 'GET', '/Goal?_count=1', {}],
  [200, 'GET', '/Goal?patient=nobody', {}],
  [200, 'GET', '/Goal?_summary=true&_include=Goal:patient', {}],
  [200, 'GET', '/ServiceRequest?_elements=status', {}],
  [200, 'GET', '/CareTeam?_summary=true', {}],
  [200, 'GET', '/Goal?_summary=count', {}],
  [200, 'GET', '/Goal/walk?_summary=true', {}],
  [200, 'GET', '/Patient/amy/Goal?_elements=subject', {}],
  [200, 'GET', '/Patient?name=Shaw&_elements=name', {}],
  [200, 'GET', '/Provenance?target=Goal/walk&_elements=recorded', {}],
  [200, 'GET', '/Goal?patient=amy&pation=ben', { headers: { prefer: 'handling=lenient' } }],
  [200, 'GET', '/Patient/amy/Goal', {}],
  [200, 'GET', '/CareTeam/amy', {}],
  [200, 'GET', '/CareTeam', {}],
  [
    200,
    'POST',
    '/CareTeam/_search',
    { body: 'patient=amy', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
  ],
  [200, 'PUT', '/CareTeam/amy', { body: careTeam }],
  [200, 'PUT', '/CareTeam/amy', { body: careTeam, headers: representation }],
  [200, 'PUT', '/CareTeam/amy', { body: careTeam, headers: outcome }],
  [200, 'GET', '/Immunization/shot', {}],
  [200, 'GET', '/Immunization', {}],
  [200, 'GET', '/Goal/walk/_history', {}],
  [200, 'GET', '/Goal?_include=Goal:patient', {}],
  [200, 'GET', '/Patient/amy', {}],
  [200, 'GET', '/Goal?_revinclude=Provenance:target', {}],
  [200, 'GET', '/CareTeam?_revinclude=Provenance:target', {}],
  [200, 'GET', '/Provenance/G-walk-1', {}],
  [200, 'GET', '/Provenance?target=Goal/walk,CareTeam/amy', {}],
  [400, 'GET', '/Provenance', {}],
  [403, 'GET', '/Provenance/G-walk-1', { token: 'goals' }],
  [404, 'GET', '/Provenance/G-none-1', {}],
  [200, 'GET', '/Goal/walk/_history/1', {}],
  [200, 'GET', '/CareTeam/amy.inactive/_history', {}],
  [201, 'POST', '/Immunization', { body: newStatement }],
  [201, 'POST', '/Immunization', { body: newStatement, headers: representation }],
  [201, 'POST', '/Immunization', { body: newStatement, headers: outcome }],
  [200, 'POST', '/Immunization/$validate', { body: newStatement }],
  [200, 'POST', '/Immunization/$validate', { body: {} }],
  [200, 'POST', '/CareTeam/amy/$validate', { body: careTeam }],
  [200, 'POST', '/commands/$validate', { body: newGoal }],
  [400, 'POST', '/Immunization/$validate', { body: { resourceType: 'Parameters' } }],
  [201, 'POST', '/Immunization', { body: newStatementWithElements, headers: representation }],
  [200, 'PUT', '/Immunization/told', { body: mistakenStatement }],
  [201, 'POST', '/commands', { body: newGoal }],
  [201, 'POST', '/commands', { body: newGoal, headers: representation }],
  [201, 'POST', '/commands', { body: newOrder, headers: representation }],
  [201, 'POST', '/commands', { body: newOrder, headers: outcome }],
  [201, 'POST', '/commands', { body: newDose, headers: representation }],
  [200, 'GET', '/commands?patient=amy', {}],
  [200, 'GET', '/commands/Goal/walk', {}],
  [200, 'GET', '/commands/Goal/walk/0', {}],
  [200, 'POST', '/commands/CareTeam/amy', { body: proposedMember, headers: representation }],
  [422, 'POST', '/commands/CareTeam/amy', { body: { ...proposedMember, member: 'Organization/none' } }],
  [200, 'POST', '/commands/Goal/staged/0/commit', {}],
  [200, 'POST', '/commands/Goal/staged/0/commit', { headers: representation }],
  [200, 'POST', '/commands/Goal/staged/0/discard', { body: { reason: 'x' }, headers: representation }],
  [200, 'POST', '/commands/Goal/walk/0/enter-in-error', { body: { reason: 'x' }, headers: representation }],
  [200, 'POST', '/commands/ServiceRequest/test/0/complete', { headers: representation }],
  [200, 'GET', '/Goal/walk', { headers: { accept: 'application/fhir+json' } }],
  [400, 'GET', '/Goal?x=1', {}],
  [400, 'PUT', '/CareTeam/amy', { body: {} }],
  [401, 'GET', '/Goal', { token: null }],
  [403, 'GET', '/Goal', { token: 'none' }],
  [404, 'GET', '/Goal/none', {}],
  [404, 'PUT', '/CareTeam/none', { body: { id: 'none' } }],
  [405, 'PUT', '/Immunization/none', { body: { ...mistakenStatement, id: 'none' } }],
  [405, 'POST', '/Immunization', { body: statement({ primarySource: true }) }],
  [400, 'GET', '/commands?status=active', {}],
  [400, 'POST', '/commands', { body: { ...newGoal, kind: 'plan' } }],
  [400, 'POST', '/commands/Goal/staged/0/commit', { body: { reason: 'x' } }],
  [403, 'POST', '/commands', { body: newGoal, token: 'reader' }],
  [404, 'GET', '/commands/Goal/none/0', {}],
  [404, 'POST', '/commands/Goal/staged/1/commit', {}],
  [405, 'POST', '/commands/Goal/walk/0/complete', {}],
  [412, 'POST', '/commands/Goal/staged/0/commit', { headers: { 'if-match': 'W/"9"' } }],
  [422, 'POST', '/commands', { body: { ...newGoal, patientId: 'none' } }],
  [422, 'POST', '/commands/Goal/walk/0/commit', {}],
  [406, 'GET', '/Goal', { headers: { accept: 'text/html' } }],
  [412, 'PUT', '/CareTeam/amy', { body: careTeam, headers: { 'if-match': 'W/"9"' } }],
  [412, 'PUT', '/Immunization/told', { body: mistakenStatement, headers: { 'if-match': 'W/"9"' } }],
  [
    412,
    'PUT',
    '/Immunization/told',
    { body: mistakenStatement, headers: { 'if-unmodified-since': 'Wed, 02 Oct 2024 09:30:00 GMT' } },
  ],
  [413, 'PUT', '/CareTeam/amy', { body: ' '.repeat(300_000) }],
  [415, 'POST', '/Immunization', { body: '', headers: { 'content-type': 'text/plain' } }],
  [422, 'POST', '/Immunization', { body: statement({ patient: { reference: 'Patient/none' } }) }],
];

describe('a response has the described status, headers and body', () => {
  test.each(requests)('%i %s %s', async (status, method, path, sent) => {
    const answer = await clinic.send(method, path, sent);
    expect(answer.status).toBe(status);
    const response = findOperation(document, method, path).responseTo(answer);
    const { schema = {} } = response?.content?.[answer.headers['content-type'] ?? ''] ?? {};
    expect([Object.keys(schema).length > 0, faultsOf(schema, answer.json)]).toEqual([true, null]);
    const { 'content-type': _, connection, ...headers } = answer.headers;
    // A response to a write without a preference follows none.
    const names = Object.keys(response?.headers ?? {})
      .map((name) => name.toLowerCase())
      .filter((name) => name !== 'preference-applied' || sent.headers?.prefer !== undefined);
    expect(Object.keys(headers).toSorted()).toEqual(names.toSorted());
  });
});

describe('a response about which rules of the host say something has the described header and body', () => {
  const requests = [
    ['/Immunization', { body: newStatement, headers: outcome }],
    ['/commands', { body: { ...newGoal, commit: true }, headers: representation }],
  ] as const;
  const severities = [
    ['warning', 201, '1'],
    ['error', 422, undefined],
  ] as const;
  test.each(severities)('%s', async (severity, status, count) => {
    const find = () => [
      { rule: 'acme-never', message: 'Acme says so.', expression: 'Goal.subject', severity },
    ];
    const rules = { Goal: find, Immunization: find };
    const records = createRecords(clinic.store, { clock: clinic.clock.now, rules });
    const send = createSender(createHandler(records, { chartCommands: true }));
    const document = await fetchDocument({ ...clinic, send });
    for (const [path, sent] of requests) {
      const answer = await send('POST', path, sent);
      const { headers, content } = findOperation(document, 'POST', path).responseTo(answer) ?? {};
      const { schema = {} } = content?.[answer.headers['content-type'] ?? ''] ?? {};
      expect([answer.status, answer.text.includes('Acme says so.')]).toEqual([status, true]);
      expect(faultsOf(schema, answer.json)).toBeNull();
      expect([answer.headers['x-warning-count'], 'X-Warning-Count' in (headers ?? {})]).toEqual([
        count,
        count !== undefined,
      ]);
    }
  });
});

const bodies: readonly (readonly [what: string, method: string, path: string, body: object])[] = [
  ['every element of a care team', 'PUT', '/CareTeam/amy', careTeam],
  ['only an id', 'PUT', '/CareTeam/amy', { id: 'amy' }],
  ['no id', 'PUT', '/CareTeam/amy', { participant: [] }],
  ['an element that FHIR defines', 'PUT', '/CareTeam/amy', { ...careTeam, telecom: [{ value: '555' }] }],
  ['an element that FHIR does not define', 'PUT', '/CareTeam/amy', { ...careTeam, participants: [] }],
  ['a modifier extension', 'PUT', '/CareTeam/amy', { ...careTeam, modifierExtension: [{ url: 'x' }] }],
  [
    'a reference to something that is not a patient',
    'PUT',
    '/CareTeam/amy',
    { ...careTeam, subject: { reference: 'Goal/7' } },
  ],
  ['a member without a reference', 'PUT', '/CareTeam/amy', { id: 'amy', participant: [{ member: {} }] }],
  ['every element of a statement', 'POST', '/Immunization', newStatement],
  ['every element of a dose', 'POST', '/Immunization', newStatementWithElements],
  ['a lot number that is none', 'POST', '/Immunization', statement({ lotNumber: 7 })],
  ['a performer that is a text', 'POST', '/Immunization', statement({ performer: ['Ada'] })],
  [
    'a dose number of zero',
    'POST',
    '/Immunization',
    statement({ protocolApplied: [{ doseNumberPositiveInt: 0 }] }),
  ],
  ['the required elements of a statement', 'POST', '/Immunization', statement()],
  [
    'a time without an offset',
    'POST',
    '/Immunization',
    statement({ occurrenceDateTime: '2025-10-01T08:00:00' }),
  ],
  [
    'a vaccine in an unknown system',
    'POST',
    '/Immunization',
    statement({ vaccineCode: { coding: [{ system: 'urn:x', code: '1' }] } }),
  ],
  ['no codings', 'POST', '/Immunization', statement({ vaccineCode: { coding: [] } })],
  ['a text of white space', 'POST', '/Immunization', statement({ note: [{ text: ' \t\u2028' }] })],
  ['a text with a control character', 'POST', '/Immunization', statement({ note: [{ text: 'a\u000bb' }] })],
  ['a text of lines', 'POST', '/Immunization', statement({ note: [{ text: '\tOne 😀\r\n two ' }] })],
  ['a month that no year has', 'POST', '/Immunization', statement({ occurrenceDateTime: '2024-13' })],
  [
    'an hour that no day has',
    'POST',
    '/Immunization',
    statement({ occurrenceDateTime: '2024-10-02T25:00:00Z' }),
  ],
  ['an empty text', 'POST', '/Immunization', statement({ note: [{ text: '' }] })],
  ['a string for a boolean', 'POST', '/Immunization', statement({ primarySource: 'false' })],
  ['every element of a mistaken statement', 'PUT', '/Immunization/told', mistakenStatement],
  ['every element of a goal', 'POST', '/commands', newGoal],
  ['every element of an order', 'POST', '/commands', newOrder],
  ['every element of a dose', 'POST', '/commands', newDose],
  ['an update of a goal', 'POST', '/commands', { kind: 'updateGoal', goalId: 'walk', dueDate: null }],
  ['a command without a kind', 'POST', '/commands', { ...newGoal, kind: undefined }],
  ['a goal without a description', 'POST', '/commands', { ...newGoal, description: undefined }],
  ['a due date that is none', 'POST', '/commands', { ...newGoal, dueDate: 'June' }],
  ['a goal with an id', 'POST', '/commands', { ...newGoal, id: 'mine' }],
  ['an order with an id', 'POST', '/commands', { ...newOrder, id: 'mine' }],
  ['a dose with an id', 'POST', '/commands', { ...newDose, id: 'mine' }],
  ['a commit that is a text', 'POST', '/commands', { ...newGoal, commit: 'true' }],
  ['an element that no command has', 'POST', '/commands', { ...newGoal, staged: true }],
  ['a member who is proposed', 'POST', '/commands/CareTeam/amy', proposedMember],
  [
    'a member with a status that is none',
    'POST',
    '/commands/CareTeam/amy',
    { ...proposedMember, status: 'new' },
  ],
  ['a reason', 'POST', '/commands/Goal/staged/0/discard', { reason: 'Not needed.' }],
  ['a reason that is blank', 'POST', '/commands/Goal/staged/0/discard', { reason: ' ' }],
  ['a commit for a reason', 'POST', '/commands/Goal/staged/0/commit', { reason: 'x' }],
  ['a mistaken statement without an id', 'PUT', '/Immunization/told', newStatement],
];

describe('the schema of a body accepts what the server accepts', () => {
  test.each(bodies)('%s', async (_, method, path, body) => {
    const { status } = await clinic.send(method, path, { body });
    const { schema = {} } =
      findOperation(document, method, path).operation?.requestBody?.content['application/json'] ?? {};
    expect(Object.keys(schema)).not.toEqual([]);
    expect(faultsOf(schema, body) === null).toBe(status !== 400);
  });
});

test('a 304 has the described headers, and no body', async () => {
  const answer = await clinic.get('/Goal/walk', { headers: { 'if-none-match': '*' } });
  const response = findOperation(document, 'GET', '/Goal/walk').responseTo(answer);
  const names = Object.keys(response?.headers ?? {}).map((name) => name.toLowerCase());
  expect([answer.status, answer.text, Object.keys(answer.headers).toSorted()]).toEqual([
    304,
    '',
    names.toSorted(),
  ]);
});

test('as described, a resource that was read can be sent back', async () => {
  await clinic.send('PUT', '/CareTeam/amy', { body: careTeam });
  for (const path of ['/CareTeam/amy', '/Immunization/told']) {
    const { json } = await clinic.get(path);
    const faultsBy = (method: string, body: unknown) => {
      const { requestBody, responses } = findOperation(document, method, path).operation ?? {};
      const { content } = requestBody ?? responses?.[200] ?? {};
      return faultsOf(content?.['application/json']?.schema ?? { not: {} }, body);
    };
    expect(faultsBy('PUT', json)).toBeNull();
    const others = JSON.parse(JSON.stringify(json).replaceAll(/"url":"[^"]+"/g, '"url":"urn:x"'));
    expect([faultsBy('GET', others), faultsBy('PUT', others)]).not.toContain(null);
  }
});

test('a parameter of a search is one value, or several', () => {
  const { parameters = [] } = findOperation(document, 'GET', '/ServiceRequest').operation ?? {};
  const { schema = {} } = parameters.find(({ name }) => name === 'authored') ?? {};
  expect([faultsOf(schema, 'ge2026-01-01'), faultsOf(schema, ['ge2026-01-01', 'lt2026-02-01'])]).toEqual([
    null,
    null,
  ]);
});

test.each(['CareTeam.update', 'Immunization.create', 'Immunization.update'])(
  'the example of %s is valid',
  (name) => {
    const { examples = [] } = document.components.schemas[name] as { readonly examples?: readonly object[] };
    expect(examples.map((example) => faultsOf({ $ref: `#/components/schemas/${name}` }, example))).toEqual([
      null,
    ]);
  },
);
