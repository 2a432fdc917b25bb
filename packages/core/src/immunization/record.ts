import { deriveStatusReason } from '../chart/command.ts';
import { defineChartRecord } from '../chart/command-records.ts';
import type { Environment } from '../environment.ts';
import { usCoreProfile } from '../fhir/bundle.ts';
import { toCodedConcept } from '../fhir/coding.ts';
import { type Annotation, createReference } from '../fhir/reference.ts';
import type { RecordDefinition, ResourceFacts } from '../records/definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { commonParameters, type StoredParameterTable } from '../search/index-entries.ts';
import type { StoredSearchInput } from '../search/search-input.ts';
import {
  type Immunization,
  type ImmunizationRecord,
  immunizationStatuses,
  noteIdUrl,
  statusReasonSystem,
} from './model.ts';

/** Source: docs/http-interface.md#immunization. */
export const immunizationParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** When it was given: a date or a time, with a prefix such as `ge` or without. */
  date: { kind: 'date', isSingle: true, at: 'occurrenceDateTime' },
  /** Whether it was given. */
  status: {
    kind: 'token',
    at: 'status',
    system: 'http://hl7.org/fhir/event-status',
    codes: immunizationStatuses,
  },
  /** The vaccine: `code`, `system|code`, `system|` or `|code`. */
  'vaccine-code': { kind: 'token', at: ['vaccineCode', 'vaccineCode.extension.valueCoding'] },
  /** The number of the lot, or the beginnings of its parts. */
  'lot-number': { kind: 'string', at: 'lotNumber' },
  ...commonParameters(usCoreProfile('Immunization')),
} as const satisfies StoredParameterTable<Immunization>;

/** The search parameters of immunizations. Source: docs/http-interface.md#immunization. */
export interface ImmunizationSearch extends StoredSearchInput<typeof immunizationParameters> {}

const cvx = 'http://hl7.org/fhir/sid/cvx';

/**
 * The codes of CVX that the CDC had published on 3 September 2025: the first and the last number of each run. A code has at least two
 * digits, such as 03. Source: https://www2.cdc.gov/vaccines/iis/iisstandards/vaccines.asp?rpt=cvx, as HL7 lists it in table 0292 of
 * version 2.9, and in the value set immunization-all-cvx of SMART Health Cards, version 20250903.
 */
const publishedCvxCodes: readonly (readonly [first: number, last: number])[] = [
  [1, 123],
  [125, 198],
  [200, 208],
  [210, 231],
  [300, 333],
  [500, 521],
  [801, 801],
  [998, 999],
];

/** Whether a code is in the published table of CVX. One that was published later is not. */
const isCvxCode = (code: string): boolean => {
  const number = Number(code);
  const isWellFormed = /^(0[1-9]|[1-9]\d\d?)$/.test(code);
  return isWellFormed && publishedCvxCodes.some(([first, last]) => first <= number && number <= last);
};

/**
 * Whether an immunization has a code in CVX, none that CVX does not have, no system that is not a URL, and no status reason, whose
 * system does not exist.
 */
const conforms = ({
  statusReason,
  vaccineCode,
}: Pick<Immunization, 'statusReason' | 'vaccineCode'>): boolean =>
  statusReason === undefined &&
  vaccineCode.coding.some(({ system }) => system === cvx) &&
  vaccineCode.coding.every(
    ({ system, code }) => system !== 'unstructured' && (system !== cvx || isCvxCode(code)),
  );

export const immunizationFacts: ResourceFacts<'Immunization', Immunization> = {
  type: 'Immunization',
  initial: 'I',
  profile: usCoreProfile('Immunization'),
  inError: 'status',
  conforms,
  parameters: immunizationParameters,
  references: {
    patient: ['patient'],
    manufacturer: ['manufacturer'],
    performer: ['performer', 'actor'],
  },
  elements: {
    mandatory: ['status', 'vaccineCode', 'patient', 'occurrence[x]', 'primarySource'],
    summary: ['performer', 'note'],
  },
};

/** The immunization that derives from a committed command; null before. Source: docs/http-interface.md#immunization. */
export const deriveImmunization =
  (extensionBase: string) =>
  ({ id, patientId, commands: [command] }: ImmunizationRecord): Immunization | null => {
    if (command?.committed == null) return null;
    const {
      kind,
      noteId,
      encounterId,
      status,
      statusReason,
      vaccineCode,
      occurrenceDateTime,
      note = [],
      elements,
    } = command.body;
    const reason = deriveStatusReason(extensionBase, command);
    return {
      resourceType: 'Immunization',
      id,
      extension: [{ url: noteIdUrl(extensionBase), valueId: noteId }],
      status: command.enteredInError == null ? status : 'entered-in-error',
      ...(reason !== undefined && { _status: reason }),
      ...(statusReason !== undefined && {
        statusReason: toCodedConcept(extensionBase, {
          ...statusReason,
          coding: statusReason.coding.map((coding) => ({ system: statusReasonSystem, ...coding }) as const),
        }),
      }),
      vaccineCode: toCodedConcept(extensionBase, vaccineCode),
      patient: createReference('Patient', patientId),
      ...(encounterId !== null && { encounter: createReference('Encounter', encounterId) }),
      occurrenceDateTime,
      primarySource: kind === 'immunize',
      ...(note.length > 0 && { note }),
      ...elements,
    };
  };

/** The comment field of the command: the texts of the notes, a line each. It does not say whose words they are. */
export const formatComment = (note: readonly { readonly text: string }[]): string =>
  note.map(({ text }) => text).join('\n');

/**
 * The notes for people to read, a line each: the author and the time of each as far as it has them, and its text.
 *
 * @example
 * formatSignedComment([{ text: 'No fever.', authorString: 'Her mother' }]); // 'Her mother: No fever.'
 */
export const formatSignedComment = (note: readonly Annotation[]): string =>
  note
    .map(({ authorReference, authorString, time, text }) => {
      const author = authorString ?? authorReference?.display ?? authorReference?.reference;
      const signature = [author, time].filter((part) => part !== undefined).join(', ');
      return signature === '' ? text : `${signature}: ${text}`;
    })
    .join('\n');

const refersTo: RecordDefinition<ImmunizationRecord>['refersTo'] = ({ patientId, commands }) => [
  { type: 'Patient', id: patientId },
  ...commands.flatMap(({ body: { noteId, encounterId } }) => [
    { type: 'Note', id: noteId },
    ...(encounterId === null ? [] : [{ type: 'Encounter', id: encounterId }]),
  ]),
];

export const defineImmunizationRecord = ({
  zone,
  extensionBase,
  fields,
}: Pick<Environment, 'zone' | 'extensionBase' | 'fields'>) => ({
  ...defineChartRecord(
    withFieldParameters(immunizationFacts, fields),
    deriveImmunization(extensionBase),
    zone,
  ),
  refersTo,
});
