import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import { type ClinicalTask, invalidRequest } from '../errors.ts';
import { type PractitionerReference, parseReference, readReferenceId } from '../fhir/reference.ts';
import type { StepAuthor } from './command.ts';
import { chartIssue } from './issues.ts';

const isPractitionerReference = (by: unknown): by is PractitionerReference =>
  typeof by === 'string' && parseReference(by)?.type === 'Practitioner';

/** Returns the author of a step, with the current name. A host without types may omit `by`, or the whole author. */
export const requirePractitioner = (
  directory: DirectoryRecords,
  author: { readonly by?: unknown } | undefined,
): ClinicalTask<StepAuthor> => {
  const by = author?.by;
  if (!isPractitionerReference(by)) return TE.left(invalidRequest(chartIssue('by-required', 'by')));
  return pipe(
    directory.require('Practitioner', readReferenceId({ reference: by }), 'by'),
    TE.map(({ state }) => ({ by, byDisplay: displayOf(state) })),
  );
};
