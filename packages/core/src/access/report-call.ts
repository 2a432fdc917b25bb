import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError, Outcome } from '../errors.ts';
import type { Agent } from '../fhir/reference.ts';
import { ClinicalRecordsError } from '../outcome.ts';
import { isParameters, pairsOf } from '../search/search-input.ts';
import {
  type Access,
  type AccessInteraction,
  type AccessOptions,
  type AccessOutcome,
  type AnswerContent,
  failed,
  outcomeOf,
  type ReportAccess,
} from './access.ts';

/** The access of a call, by its arguments. */
export type ReportedCall<Answer = unknown> = {
  readonly interaction: AccessInteraction;
  /** The type of resource; null if the function is not about one. */
  readonly type: string | null;
  readonly id?: unknown;
  readonly parameters?: unknown;
  /** The argument that names the user. Its `onReturn` is called, unless `written` says what was written. */
  readonly user: { readonly by?: unknown; readonly agent?: Agent | undefined } | undefined;
  readonly written?: (answer: Answer) => AnswerContent;
};

/** How the calls of a function are reported. */
export type CallReport = {
  readonly accessOf: (sent: readonly unknown[]) => ReportedCall;
  readonly report: ReportAccess;
};

/** An access before its outcome is known. */
type PendingAccess = Omit<Access, 'returned' | 'deniedPatientIds' | keyof AccessOutcome>;

/** The content that a call has shown or written, and the charts that it has denied. */
type Observations = { readonly returned: AnswerContent[]; readonly deniedPatientIds: string[] };

/** Plain JavaScript may send anything. */
const stringOrNull = (sent: unknown): string | null => (typeof sent === 'string' ? sent : null);

const queryOf = (parameters: unknown): string =>
  isParameters(parameters)
    ? new URLSearchParams(
        pairsOf(parameters).map(([name, value]): [string, string] => [name, value]),
      ).toString()
    : '';

/** The access that a call asks for; null if it names no user. */
const askedBy = ({ interaction, type, id, parameters, user }: ReportedCall): PendingAccess | null => {
  const by = stringOrNull(user?.by);
  if (by === null) return null;
  return {
    by,
    ...(user?.agent && { agent: user.agent }),
    client: null,
    address: null,
    interaction,
    status: null,
    requestId: null,
    resourceType: stringOrNull(type),
    id: stringOrNull(id),
    query: queryOf(parameters),
  };
};

/** The arguments, with options that keep what the call returns and denies, too. */
const observe = (
  sent: readonly unknown[],
  user: AccessOptions | undefined,
  { returned, deniedPatientIds }: Observations,
): readonly unknown[] => {
  const observed: AccessOptions = {
    ...user,
    onReturn: (content) => {
      returned.push(content);
      user?.onReturn?.(content);
    },
    onDeny: (patientId) => {
      deniedPatientIds.push(patientId);
      user?.onDeny?.(patientId);
    },
  };
  return sent.with(sent.lastIndexOf(user), observed);
};

/** Reports a call that names a user. Any other is only made. */
export const reportCall = async (
  { accessOf, report }: CallReport,
  sent: readonly unknown[],
  run: (sent: readonly unknown[]) => Outcome<unknown>,
): Outcome<unknown> => {
  const call = accessOf(sent);
  const asked = askedBy(call);
  if (asked === null) return run(sent);
  const { written, user } = call;
  const observations: Observations = { returned: [], deniedPatientIds: [] };
  const reportOutcome = (outcome: AccessOutcome) => report({ ...asked, ...observations, ...outcome });
  let answer: E.Either<ClinicalError, unknown>;
  try {
    answer = await run(written === undefined ? observe(sent, user as AccessOptions, observations) : sent);
  } catch (thrown) {
    await reportOutcome(thrown instanceof ClinicalRecordsError ? outcomeOf(thrown.error) : failed);
    throw thrown;
  }
  if (written !== undefined && E.isRight(answer)) observations.returned.push(written(answer.right));
  const error = await reportOutcome(outcomeOf(E.isLeft(answer) ? answer.left : null));
  return error === null ? answer : E.left(error);
};

const isUnrecorded = ({ issues }: ClinicalError): boolean =>
  issues.some(({ rule }) => rule === 'unrecorded-access');

/** Reports each page of an iteration before its first match is yielded, and an iteration that yields nothing. */
export async function* reportIteration(
  { accessOf, report }: CallReport,
  sent: readonly unknown[],
  run: (sent: readonly unknown[]) => AsyncGenerator<unknown, void>,
): AsyncGenerator<unknown, void> {
  const call = accessOf(sent);
  const asked = askedBy(call);
  if (asked === null) return yield* run(sent);
  const returned: AnswerContent[] = [];
  const deniedPatientIds: string[] = [];
  const reportPage = async (outcome: AccessOutcome): Promise<void> => {
    const unrecorded = await report({ ...asked, returned: [...returned], deniedPatientIds, ...outcome });
    returned.length = 0;
    if (unrecorded !== null) throw new ClinicalRecordsError(unrecorded);
  };
  try {
    for await (const item of run(observe(sent, call.user as AccessOptions, { returned, deniedPatientIds }))) {
      if (returned.length > 0) await reportPage(outcomeOf(null));
      yield item;
    }
    if (returned.length > 0) await reportPage(outcomeOf(null));
  } catch (thrown) {
    if (!(thrown instanceof ClinicalRecordsError)) await reportPage(failed);
    else if (!isUnrecorded(thrown.error)) await reportPage(outcomeOf(thrown.error));
    throw thrown;
  }
}
