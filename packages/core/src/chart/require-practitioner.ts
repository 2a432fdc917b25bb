import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import { invalidRequest, type Outcome } from '../errors.ts';
import { type PractitionerReference, parseReference, readReferenceId } from '../fhir/reference.ts';
import type { StepAuthor } from './command.ts';
import { chartIssue } from './issues.ts';

const isPractitionerReference = (by: unknown): by is PractitionerReference =>
  typeof by === 'string' && parseReference(by)?.type === 'Practitioner';

/** Returns the author of a step, with the current name. A host without types may omit `by`, or the whole author. */
export const requirePractitioner = async (
  directory: DirectoryRecords,
  author: { readonly by?: unknown } | undefined,
): Outcome<StepAuthor> => {
  const by = author?.by;
  if (!isPractitionerReference(by)) return E.left(invalidRequest(chartIssue('by-required', 'by')));
  return pipe(
    await directory.require('Practitioner', readReferenceId({ reference: by }), 'by'),
    E.map(({ state }) => ({ by, byDisplay: displayOf(state) })),
  );
};
