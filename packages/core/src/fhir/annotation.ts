import { dateTime } from './date-time.ts';
import { element, oneOf, text } from './element.ts';
import { elementReference } from './reference.ts';
import { named, type SchemaOutput } from './schema-output.ts';

const annotationSchema = element(
  {
    authorReference: elementReference('Practitioner', 'Patient', 'RelatedPerson', 'Organization').optional(),
    /** The name of the author, where there is no reference. */
    authorString: text.optional(),
    /** When the comment was made: a FHIR `dateTime`. */
    time: dateTime.optional(),
    /** The comment. */
    text,
  },
  ['_authorString', '_time', '_text'],
);

/** A comment. FHIR R4, Datatypes, 2.24.0.14. */
export interface Annotation extends SchemaOutput<typeof annotationSchema> {}

export const annotation = oneOf(named<Annotation>(annotationSchema), 'authorReference', 'authorString');
