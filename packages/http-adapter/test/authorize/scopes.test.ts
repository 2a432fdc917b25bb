import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Principal, scopeIssues } from '../../src/index.ts';
import { goal, labOrder } from '../builders.ts';
import { type Clinic, createSenderAs, openClinic } from '../clinic.ts';
import { idsOf } from '../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const patientId of ['amy', 'ben']) {
    await clinic.record(labOrder({ id: `lab-${patientId}`, patientId }));
    await clinic.record({ ...labOrder({ id: `scan-${patientId}`, patientId }), kind: 'imagingOrder' });
    await clinic.stage(labOrder({ id: `draft-${patientId}`, patientId }));
  }
  await clinic.record(goal({ id: 'walk', description: 'Walk, and run' }));
});

const [lab, scan] = [
  'category=http://snomed.info/sct|108252007',
  'category=http://snomed.info/sct|363679005',
];

/** The ids of the orders that a sender finds, each of which it also reads; null if it may not search them. */
const foundBy = async (scopes: string, patient?: string): Promise<readonly string[] | null> => {
  const send = createSenderAs(clinic, { scopes, ...(patient !== undefined && { patient }) });
  const page = await send('GET', '/ServiceRequest');
  if (page.status === 403) {
    expect(page.json.issue[0].details.coding[0].code).toBe('insufficient-scope');
    return null;
  }
  const found = idsOf(page);
  expect(page.json.total).toBe(found.length);
  for (const id of idsOf(await clinic.get('/ServiceRequest'))) {
    const { status } = await send('GET', `/ServiceRequest/${id}`);
    expect([id, status]).toEqual([id, found.includes(id) ? 200 : 404]);
  }
  return found.map((id) => id.replace('draft', 'a draft'));
};

const every = ['lab-amy', 'scan-amy', 'a draft-amy', 'lab-ben', 'scan-ben', 'a draft-ben'];
const of = (...kinds: readonly string[]) => every.filter((id) => kinds.some((kind) => id.includes(kind)));

describe('scopes with a search', () => {
  test.each<[scopes: string, found: readonly string[]]>([
    [`user/ServiceRequest.rs?${scan}`, of('scan')],
    // Text without encoding, and with.
    ['user/ServiceRequest.rs?category=http%3A%2F%2Fsnomed.info%2Fsct%7C363679005', of('scan')],
    // All conditions of a scope hold, and one of the values with commas between them.
    [`system/ServiceRequest.rs?${lab}&status=draft`, of('draft')],
    ['user/ServiceRequest.rs?status=draft,active&patient=Patient/ben', of('ben')],
    [`user/ServiceRequest.rs?${scan}&status=draft`, []],
    // Several scopes are a union, of user and system too.
    [`user/ServiceRequest.rs?${scan} system/ServiceRequest.rs?${lab}`, every],
    ['user/ServiceRequest.rs?status=draft user/ServiceRequest.rs?status=draft&patient=amy', of('draft')],
    ['user/ServiceRequest.rs?status=draft&patient=amy user/ServiceRequest.rs?status=draft', of('draft')],
    [
      `user/ServiceRequest.rs?status=active&${lab} user/ServiceRequest.rs?${lab}&status=draft`,
      of('lab', 'draft'),
    ],
    // A scope without a search lifts the limit.
    [`user/ServiceRequest.rs?${scan} user/*.read`, every],
  ])('%s', async (scopes, found) => {
    expect(await foundBy(scopes)).toEqual(found);
  });

  test.each<[scopes: string, found: readonly string[] | null]>([
    [`patient/ServiceRequest.rs?${scan}`, ['scan-amy']],
    [`patient/ServiceRequest.rs?${scan} patient/ServiceRequest.rs?${lab}`, of('amy')],
    [`patient/ServiceRequest.rs?${scan} patient/*.rs`, of('amy')],
    [`patient/ServiceRequest.rs?${scan} user/ServiceRequest.rs`, every],
    ['patient/ServiceRequest.rs?patient=ben', null],
  ])('%s, of Amy', async (scopes, found) => {
    const send = createSenderAs(clinic, { scopes, patient: 'amy' });
    if (found === null) expect((await send('GET', '/ServiceRequest')).json.total).toBe(0);
    else expect(await foundBy(scopes, 'amy')).toEqual(found);
  });

  test('a scope of a patient without a patient grants nothing', async () => {
    expect(await foundBy(`patient/ServiceRequest.rs?${scan}`)).toBeNull();
    expect(await foundBy(`patient/ServiceRequest.rs?${scan} user/ServiceRequest.rs?${lab}`)).toEqual(
      of('lab', 'draft'),
    );
  });

  test('a permission is limited only by the scopes that grant it', async () => {
    const send = createSenderAs(clinic, {
      scopes: `user/ServiceRequest.r?${scan} user/ServiceRequest.s?${lab}`,
    });
    expect(idsOf(await send('GET', '/ServiceRequest?patient=amy'))).toEqual(['lab-amy', 'draft-amy']);
    expect((await send('GET', '/ServiceRequest/lab-amy')).status).toBe(404);
    expect((await send('GET', '/ServiceRequest/scan-amy')).status).toBe(200);
  });
});

const unsupported = 'The search parameter is not supported. Those of this resource are `_id`, ';
const notUnited = 'It cannot be united with the others: ';

describe('a scope that cannot be limited as it says grants nothing, and the reason can be read', () => {
  test.each<[scope: string, issue: string]>([
    ['user/ServiceRequest.rs?kind=lab', `kind: ${unsupported}`],
    ['user/ServiceRequest.rs?_count=1', `_count: ${unsupported}`],
    ['user/ServiceRequest.rs?_summary=true', `_summary: ${unsupported}`],
    ['user/ServiceRequest.rs?_include=*', `_include: ${unsupported}`],
    ['user/ServiceRequest.rs?_lastUpdated=ge2020', `_lastUpdated: ${unsupported}`],
    ['user/ServiceRequest.rs?category:not=363679005', 'category: The parameter does not support'],
    ['user/ServiceRequest.rs?patient.name=amy', 'patient.name: The parameter does not support'],
    ['user/ServiceRequest.rs?status=any', 'status: Not one of the codes of this parameter. Allowed: '],
    ['user/ServiceRequest.rs?category=', 'category: The parameter has no value.'],
    ['user/ServiceRequest.rs?', 'A limit must have a condition.'],
    ['user/ServiceRequest.read?status=draft', 'Not a SMART scope for resources'],
    ['user/ServiceRequest.?status=draft', 'Not a SMART scope for resources'],
    ['user/*.rs?patient=amy', 'Resources of this type cannot be limited by searches.'],
    ['user/Patient.rs?_id=amy', 'Resources of this type cannot be limited by searches.'],
    ['openid', 'Not a SMART scope for resources'],
  ])('%s', async (scope, issue) => {
    expect(scopeIssues([scope])).toEqual([expect.stringContaining(issue)]);
    expect(await foundBy(scope)).toBeNull();
    expect(await foundBy(`${scope} user/ServiceRequest.rs?${scan}`)).toEqual(of('scan'));
  });

  test.each<[scopes: readonly string[], issues: readonly (string | null)[], found: readonly string[]]>([
    // The second one would need a union that no search can count.
    [
      [`user/ServiceRequest.rs?${scan}`, 'user/ServiceRequest.rs?status=draft'],
      [null, notUnited],
      of('scan'),
    ],
    [[`user/ServiceRequest.rs?${scan}`, `patient/ServiceRequest.rs?${scan}`], [null, notUnited], of('scan')],
    [['user/ServiceRequest.rs?status=draft', 'patient/*.rs'], [notUnited, null], of('amy')],
    [['user/ServiceRequest.rs?status=draft', 'user/*.rs', 'user/Goal.rs'], [null, null, null], every],
  ])('%j', async (scopes, issues, found) => {
    expect(scopeIssues(scopes)).toEqual(issues.map((issue) => issue && expect.stringContaining(issue)));
    expect(await foundBy(scopes.join(' '), 'amy')).toEqual(found);
  });

  test('scopes of different permissions do not have to be united', () => {
    const scopes = ['user/Goal.r?description=x', 'user/Goal.s?lifecycle-status=active', 'user/Goal.cu'];
    expect(scopeIssues(scopes)).toEqual([null, null, null]);
  });
});

test('a value with a comma or a space is encoded in the text of a token', async () => {
  const principal = {
    scopes: 'openid user/Goal.rs?description=Walk%5C%2C%20and%20run',
  } satisfies Partial<Principal>;
  expect(idsOf(await createSenderAs(clinic, principal)('GET', '/Goal'))).toEqual(['walk']);
});
