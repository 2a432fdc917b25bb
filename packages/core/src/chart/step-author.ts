import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { displayOf } from '../directory/model.ts';
import { invalidRequest, type Outcome } from '../errors.ts';
import {
  type AuthorReference,
  type PractitionerReference,
  parseReference,
  readReferenceId,
} from '../fhir/reference.ts';
import { recordExists } from '../records/transact.ts';
import { chartIssue, type StagingAuthor, type StepAuthor } from './command.ts';

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

/** Returns the author of a staged command, with the current name if it is a known practitioner. */
export const findAuthor = async (
  directory: DirectoryRecords,
  { by, agent }: Partial<Record<'by', AuthorReference | undefined> & Pick<StagingAuthor, 'agent'>>,
): Outcome<StagingAuthor> => {
  const author = { by: by ?? null, ...(agent && { agent }) };
  if (by === undefined || parseReference(by)?.type !== 'Practitioner') return E.right(author);
  const found = await directory.find('Practitioner', readReferenceId({ reference: by }));
  if (E.isLeft(found)) return found;
  return E.right({
    ...author,
    ...(recordExists(found.right) && { byDisplay: displayOf(found.right.state) }),
  });
};
