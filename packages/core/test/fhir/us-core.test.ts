import { describe, expect, test } from 'vitest';
import type { CareTeam } from '../../src/care-team/model.ts';
import { careTeamFacts } from '../../src/care-team/record.ts';
import { usCoreProfile } from '../../src/fhir/bundle.ts';
import type { Immunization } from '../../src/immunization/model.ts';
import { immunizationFacts } from '../../src/immunization/record.ts';

test('the profile of a type has its name in lower case', () => {
  expect(usCoreProfile('CareTeam')).toBe('http://hl7.org/fhir/us/core/StructureDefinition/us-core-careteam');
});

const cvx = { system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza ["seasonal"]' };
const cpt = { system: 'http://www.ama-assn.org/go/cpt', code: '90686' };
const unstructured = { system: 'unstructured', code: 'Flu shot' };
const statusReason = { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso', code: 'x' }] };

describe('an immunization conforms', () => {
  const conforms = (coding: readonly object[], before: object = {}, note = '') =>
    immunizationFacts.conforms({
      resourceType: 'Immunization',
      id: 'x',
      status: 'completed',
      ...before,
      vaccineCode: { coding },
      patient: { reference: 'Patient/7' },
      note: [{ text: note }],
    } as unknown as Immunization);
  test('with a code in CVX', () => {
    const elements = { code: '140', userSelected: true, system: 'http://hl7.org/fhir/sid/cvx' };
    for (const coding of [[cvx], [cpt, cvx], [cvx, cpt], [elements]]) expect(conforms(coding)).toBe(true);
  });
  test('not without one', () => {
    expect([conforms([cpt]), conforms([unstructured])]).toEqual([false, false]);
    expect(conforms([{ ...cpt, display: 'cvx' }], {}, JSON.stringify({ vaccineCode: [cvx] }))).toBe(false);
  });
  test.each(['999999', '0', '00', '1', '001', '1000', '124', '199', '232', '400', '1e2', ' 03', '٠٣', 'x'])(
    'not with the code %j, which CVX does not have',
    (code) =>
      expect([conforms([{ ...cvx, code }]), conforms([cvx, { ...cvx, code }])]).toEqual([false, false]),
  );
  test.each(['01', '08', '99', '100', '123', '125', '133', '140', '197', '208', '213', '333', '521', '998'])(
    'with the code %s, which CVX has',
    (code) => expect(conforms([{ ...cvx, code }])).toBe(true),
  );
  test('not with a system that is not a URL', () => {
    expect([conforms([cvx, unstructured]), conforms([unstructured, cvx])]).toEqual([false, false]);
  });
  test('not with a status reason, whose system does not exist', () => {
    expect(conforms([cvx], { statusReason })).toBe(false);
  });
  test('whatever its note says', () => {
    const note = '"status":"completed","statusReason":{},"system":"unstructured"';
    expect([conforms([cvx], {}, note), conforms([cvx], {}, JSON.stringify(note))]).toEqual([true, true]);
  });
});

describe('a care team conforms', () => {
  const member = { reference: 'Practitioner/12', display: '{"member":' };
  const role = [{ coding: [{ system: 'http://snomed.info/sct', code: '1', display: 'Nurse' }] }];
  const conforms = (...participant: readonly object[]) =>
    careTeamFacts.conforms({
      resourceType: 'CareTeam',
      id: '7',
      name: '"participant":[',
      ...(participant.length > 0 && { participant }),
    } as unknown as CareTeam);
  test('if each participant has a role', () => {
    expect([conforms({ role, member }), conforms({ extension: [], role, member })]).toEqual([true, true]);
  });
  test('not if one has none, or nobody takes part', () => {
    expect([conforms({ role, member }, { member }), conforms({ member }), conforms()]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
