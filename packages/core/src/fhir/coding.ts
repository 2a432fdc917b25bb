import { z } from 'zod';
import { element, text } from './element.ts';

/** FHIR R4, Datatypes, 2.24.0.6, as far as it is stored. */
export type Coding = {
  readonly system: string;
  readonly code: string;
  readonly display?: string | undefined;
};

export type CodeableConcept = { readonly coding: readonly Coding[] };

const alsoInCoding = ['version', 'userSelected', '_system', '_version', '_code', '_display', '_userSelected'];

/** A coding as it is taken. */
export const coding = <System extends z.ZodType<string>, Display extends z.ZodType<string | undefined>>(
  system: System,
  display: Display,
) => element({ system, code: text, display }, alsoInCoding);

/** A codeable concept as it is taken: with one coding at least. */
export const codeableConcept = <C extends z.ZodType>(codingSchema: C) =>
  element({ coding: z.array(codingSchema).min(1) }, ['text', '_text']);
