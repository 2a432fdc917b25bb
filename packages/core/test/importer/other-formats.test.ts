import { describe, expect, test } from 'vitest';
import { createTimeZone } from '../../src/fhir/date-time.ts';
import { createDirectoryImports } from '../../src/importer/directory-imports.ts';
import type { TypeImport } from '../../src/importer/import-definition.ts';
import { adviceOnFormat, findOtherVersion, notJsonIssue } from '../../src/importer/other-formats.ts';
import type { AnyResource } from '../../src/resource-definition.ts';
import { resources } from '../../src/resources.ts';

const directory = createDirectoryImports({ now: Date.now, zone: createTimeZone('UTC') });
const types = new Map(Object.entries<TypeImport | AnyResource>({ ...directory, ...resources }));

describe('a text that is not JSON is named, with the format to convert it to', () => {
  test.each([
    ['<?xml version="1.0"?><ClinicalDocument xmlns="urn:hl7-org:v3"/>', 'C-CDA'],
    ['<ClinicalDocument xmlns="urn:hl7-org:v3"/>', 'C-CDA'],
    ['<Patient xmlns="http://hl7.org/fhir"><id value="7"/></Patient>', 'FHIR in XML'],
    ['<html></html>', 'XML'],
    ['MSH|^~\\&|LAB|CLINIC|||20260301||ORU^R01|1|P|2.5\rPID|1||7', 'HL7 version 2'],
    ['id,family,given\r\n7,Shaw,Amy\r\n', 'CSV'],
    ['id;family;given\n', 'CSV'],
  ])('%s', (text, format) => {
    expect(adviceOnFormat(text)).toContain(format);
    expect(notJsonIssue(text)).toMatchObject({
      rule: 'invalid-json',
      message: expect.stringMatching(/^Not valid JSON\. This .* Convert it to .*JSON/),
    });
  });

  test.each(['{"resourceType":"Goal",', '[1,2', 'hello', ''])('but not %j', (text) => {
    expect(adviceOnFormat(text)).toBeNull();
    expect(notJsonIssue(text).message).toBe('Not valid JSON.');
  });
});

describe('a resource of another version of FHIR is named by an element', () => {
  test.each([
    ['Immunization', { date: '2026-03-01' }, 'STU3 has `date`, where R4 has occurrenceDateTime.'],
    [
      'Immunization',
      { date: '2016', wasNotGiven: true },
      'DSTU2 has `wasNotGiven`, where R4 has the status not-done.',
    ],
    ['ServiceRequest', { code: { concept: {} } }, 'R5 has `code.concept`, where R4 has code.coding.'],
    ['Goal', { status: 'in-progress' }, 'STU3 has `status`, where R4 has lifecycleStatus.'],
    ['Goal', { status: 'x', description: 'Walk' }, 'DSTU2 has `description`, where R4 has description.text.'],
    [
      'CareTeam',
      { participant: [{ role: {} }] },
      'STU3 has `participant.role`, where R4 has a list of roles.',
    ],
    ['Practitioner', { name: {} }, 'DSTU2 has `name`, where R4 has a list of names.'],
    ['Immunization', { notGiven: false }, 'STU3 has `notGiven`, where R4 has the status not-done.'],
    ['Immunization', { informationSource: {} }, 'R5 has `informationSource`, where R4 has reportOrigin.'],
    ['ServiceRequest', { reason: [{}] }, 'R5 has `reason`, where R4 has reasonCode and reasonReference.'],
    ['Encounter', { patient: {} }, 'DSTU2 has `patient`, where R4 has subject.'],
    ['ProcedureRequest', {}, 'STU3 has ProcedureRequest, where R4 has ServiceRequest.'],
    ['DiagnosticOrder', {}, 'DSTU2 has DiagnosticOrder, where R4 has ServiceRequest.'],
    ['ReferralRequest', {}, 'STU3 has ReferralRequest, where R4 has ServiceRequest.'],
  ])('%s %o', (type, resource, sentence) => {
    const message = `This looks like a resource of another version of FHIR than R4. ${sentence}`;
    expect(findOtherVersion(types, type, resource)).toMatchObject([{ rule: 'other-version', message }]);
  });

  test.each([
    ['Immunization', { occurrenceDateTime: '2026-03-01', status: 'completed' }],
    ['Goal', { lifecycleStatus: 'active', description: { text: 'Walk' } }],
    ['CareTeam', { participant: [{ role: [{}] }, null] }],
    ['ServiceRequest', { code: { coding: [{}] } }],
    ['Practitioner', { name: [{}] }],
    ['Observation', { status: 'final' }],
  ])('but not %s %o', (type, resource) => {
    expect(findOtherVersion(types, type, resource)).toEqual([]);
  });
});

test.each([...Object.getOwnPropertyNames(Object.prototype), 'prototype'])(
  'a resource whose type is %s, a name that objects inherit, is of no other version',
  (type) => {
    expect(findOtherVersion(types, type, { resourceType: type })).toEqual([]);
  },
);
