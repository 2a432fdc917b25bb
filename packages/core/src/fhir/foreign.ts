import { z } from 'zod';
import { date, dateTime } from './date-time.ts';
import { text } from './element.ts';
import { id, parseReference } from './reference.ts';

/** Elements as other systems write them: what is not named here is passed over. */
export const foreign = {
  id,
  text,
  date,
  dateTime,
  coding: z.object({ system: text.optional(), code: text.optional(), display: text.optional() }),
  reference: z.object({ reference: z.string().optional() }),
};

export const foreignConcept = z.object({ coding: z.array(foreign.coding).optional(), text: text.optional() });

export type ForeignConcept = z.infer<typeof foreignConcept>;

/** The id in a reference to a type; undefined where it refers to something else, or to nothing. */
export const foreignId = (
  type: string,
  sent: { readonly reference?: string | undefined } | undefined,
): string | undefined => {
  const parsed = parseReference(sent?.reference ?? '');
  return parsed?.type === type ? parsed.id : undefined;
};

/** A reference that has to be to one type; `idIn` then has its id. */
export const foreignReferenceTo = (type: string) =>
  z.object({ reference: z.string() }).refine((sent) => foreignId(type, sent) !== undefined);
