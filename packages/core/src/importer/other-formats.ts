import type { Issue } from '../errors.ts';
import type { JsonObject } from '../fhir/schema.ts';
import { elementsAt } from '../search/index-entries.ts';
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

/**
 * The sign that a resource is of another version of FHIR than R4: an element, or the name of its type. Of several, the first counts.
 * Source: the pages "R4 Diff" and "R5 Diff" of each resource.
 */
export type OtherVersion =
  | { readonly version: string; readonly type: string }
  | {
      readonly version: string;
      readonly element: string;
      /** The element that R4 has in its place. */
      readonly inR4: string;
      /** Whether a resource has it, if R4 has an element of that name, too. */
      readonly isIn?: (resource: JsonObject) => boolean;
    };

const otherVersionIssue = (sentence: string, expression?: string): Issue => {
  const issue = importIssue('other-version', expression);
  return { ...issue, message: `${issue.message} ${sentence}` };
};

/** The issue of a resource that is of another version of FHIR than R4, as far as one of the types of R4 says what shows it. */
export const findOtherVersion = (
  types: ReadonlyMap<string, { readonly otherVersions: readonly OtherVersion[] }>,
  type: string,
  resource: JsonObject,
): readonly Issue[] => {
  for (const [typeInR4, { otherVersions }] of types) {
    for (const other of otherVersions) {
      if ('type' in other) {
        if (other.type !== type) continue;
        return [otherVersionIssue(`${other.version} has ${type}, where R4 has ${typeInR4}.`)];
      }
      const {
        version,
        element,
        inR4,
        isIn = () => elementsAt(resource, [element.split('.')]).length > 0,
      } = other;
      if (typeInR4 !== type || !isIn(resource)) continue;
      return [
        otherVersionIssue(`${version} has \`${element}\`, where R4 has ${inR4}.`, `${type}.${element}`),
      ];
    }
  }
  return [];
};
