import type { Issue } from '../errors.ts';
import { isObject, type JsonObject, ownProperty } from '../fhir/schema.ts';
import { importIssue } from './import-report.ts';

/** The formats of charts that are not FHIR in JSON, each with the beginning of its texts and the advice. */
const formats = [
  [/^\s*<[\s\S]*?ClinicalDocument[\s>]/, 'This is a C-CDA document. Convert it to a FHIR R4 Bundle in JSON.'],
  [/^\s*<[\s\S]*http:\/\/hl7\.org\/fhir/, 'This is FHIR in XML. Convert it to JSON.'],
  [/^\s*</, 'This is XML. Convert it to FHIR R4 in JSON.'],
  [/^\s*(FHS|BHS|MSH)\|/, 'This is HL7 version 2. Convert it to FHIR R4 in JSON.'],
  [
    /^[^\n{[]*[,;\t][^\n{[]*(\r?\n|$)/,
    'This looks like CSV. Convert it to FHIR R4 as NDJSON, a resource on each line.',
  ],
] as const;

/** How much of a text shows its format, in characters. */
const headLength = 4_096;

/**
 * A sentence that names the format of a text that is not JSON, and what to convert it to; null if it is not known. The first 4,096
 * characters of the text are looked at.
 *
 * @example
 * adviceOnFormat('MSH|^~\\&|LAB'); // 'This is HL7 version 2. Convert it to FHIR R4 in JSON.'
 */
export const adviceOnFormat = (text: string): string | null => {
  const head = text.slice(0, headLength);
  return formats.find(([pattern]) => pattern.test(head))?.[1] ?? null;
};

export const notJsonIssue = (text: string): Issue => {
  const issue = importIssue('invalid-json');
  const advice = adviceOnFormat(text);
  return advice === null ? issue : { ...issue, message: `${issue.message} ${advice}` };
};

/** An element of another version of FHIR, and what R4 has in its place. */
type Mark = readonly [
  version: string,
  element: string,
  isIn: (resource: JsonObject) => boolean,
  inR4: string,
];

const has = (version: string, element: string, inR4: string): Mark => [
  version,
  element,
  (resource) => resource[element] !== undefined,
  inR4,
];

/** Of several marks, the first that a resource has counts. Source: the pages "R4 Diff" and "R5 Diff" of each resource. */
const marks: Readonly<Record<string, readonly Mark[]>> = {
  Immunization: [
    has('DSTU2', 'wasNotGiven', 'the status not-done'),
    has('STU3', 'notGiven', 'the status not-done'),
    has('STU3', 'date', 'occurrenceDateTime'),
    has('R5', 'informationSource', 'reportOrigin'),
  ],
  ServiceRequest: [
    ['R5', 'code.concept', ({ code }) => isObject(code) && code.concept !== undefined, 'code.coding'],
    has('R5', 'reason', 'reasonCode and reasonReference'),
  ],
  Goal: [
    ['DSTU2', 'description', ({ description }) => typeof description === 'string', 'description.text'],
    has('STU3', 'status', 'lifecycleStatus'),
  ],
  CareTeam: [
    [
      'STU3',
      'participant.role',
      ({ participant }) =>
        Array.isArray(participant) && participant.some((one) => isObject(one) && isObject(one.role)),
      'a list of roles',
    ],
  ],
  Practitioner: [['DSTU2', 'name', ({ name }) => isObject(name), 'a list of names']],
  Encounter: [has('DSTU2', 'patient', 'subject')],
};

/** The types of other versions whose resources are orders in R4. */
const orderTypes: Readonly<Record<string, string>> = {
  ProcedureRequest: 'STU3',
  ReferralRequest: 'STU3',
  DiagnosticOrder: 'DSTU2',
};

const otherVersionIssue = (sentence: string, expression?: string): Issue => {
  const issue = importIssue('other-version', expression);
  return { ...issue, message: `${issue.message} ${sentence}` };
};

/** The issue of a resource that is of another version of FHIR than R4, as far as an element or its type shows it. */
export const findOtherVersion = (type: string, resource: JsonObject): readonly Issue[] => {
  const ofType = ownProperty(orderTypes, type);
  if (ofType !== undefined) return [otherVersionIssue(`${ofType} has ${type}, where R4 has ServiceRequest.`)];
  const [mark] = (ownProperty(marks, type) ?? []).filter(([, , isIn]) => isIn(resource));
  if (mark === undefined) return [];
  const [version, element, , inR4] = mark;
  return [otherVersionIssue(`${version} has \`${element}\`, where R4 has ${inR4}.`, `${type}.${element}`)];
};
