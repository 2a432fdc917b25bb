import { formatInstant } from '../fhir/date-time.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import { missingRecord } from '../records/load.ts';
import { createChange } from '../records/record-change.ts';

/** A correction, and the change that records it in the commit that makes it. */
export const createCorrection = (
  id: string,
  { at, by }: { readonly at: number; readonly by: AuthorReference },
  content: Omit<Correction, 'id' | 'at' | 'by'>,
) => {
  const correction: Correction = { id, at: formatInstant(at), by, ...content };
  const change = createChange(correctionRecordDefinition, missingRecord(id), correction, { at, by });
  return { correction, change };
};
