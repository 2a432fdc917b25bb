import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalTask } from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import type { Returned } from './access-event.ts';

/** The options that say who reads, and report what is returned. */
export type AccessOptions = {
  /** A reference to the user who asks, such as `Practitioner/12`. The call is then reported to `onAccess`. */
  readonly by?: AuthorReference | undefined;
  /** Is called with what the answer shows, before it is returned. An iteration calls it before the first match of each page. */
  readonly onReturn?: ((returned: Returned) => void) | undefined;
};

/** Reports what a task returns, if its caller asks for that. */
export const reportReturned = <A>(
  { onReturn }: AccessOptions,
  task: ClinicalTask<A>,
  resourcesOf: (answer: A) => Returned['resources'],
): ClinicalTask<A> => {
  if (onReturn === undefined) return task;
  return async () => {
    const answer = await task();
    if (E.isRight(answer)) onReturn({ resources: resourcesOf(answer.right), searchedPatientIds: [] });
    return answer;
  };
};
