import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { Returned } from './access-event.ts';

/** The options that say who reads, and report what is returned. */
export type AccessOptions = {
  /** A reference to the user who asks, such as `Practitioner/12`. The call is then reported to `onAccess`. */
  readonly by?: AuthorReference | undefined;
  /** Is called with what the answer shows, before it is returned. An iteration calls it before the first match of each page. */
  readonly onReturn?: ((returned: Returned) => void) | undefined;
};

/** Reports what a function returns, if its caller asks for that. */
export const reportReturned = async <A>(
  { onReturn }: AccessOptions,
  outcome: Outcome<A>,
  resourcesOf: (answer: A) => Returned['resources'],
): Outcome<A> => {
  const answer = await outcome;
  if (onReturn !== undefined && E.isRight(answer))
    onReturn({ resources: resourcesOf(answer.right), searchedPatientIds: [] });
  return answer;
};
