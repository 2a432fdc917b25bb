import { dateTime } from './date-time.ts';
import { nonEmptyElement } from './element.ts';
import { named, type SchemaOutput } from './schema-output.ts';

const periodSchema = nonEmptyElement(
  {
    /** The beginning: a FHIR `dateTime`. */
    start: dateTime.optional(),
    /** The end: a FHIR `dateTime`. */
    end: dateTime.optional(),
  },
  ['_start', '_end'],
);

/** A time from a start to an end, one of which may be open. FHIR R4, Datatypes, 2.24.0.12. */
export interface Period extends SchemaOutput<typeof periodSchema> {}

export const period = named<Period>(periodSchema);
