import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError, Outcome } from '../errors.ts';
import {
  ClinicalRecordsError,
  createIteration,
  type EitherFunction,
  eitherOf,
  isIteration,
  type ServiceFunction,
  toPromise,
} from '../outcome.ts';
import { pairsOf } from '../search/search-input.ts';
import {
  type Access,
  type AccessInteraction,
  type AccessOptions,
  type AccessOutcome,
  failed,
  outcomeOf,
  type ReportAccess,
  type Returned,
} from './access.ts';

/** The access of a call, by its arguments. */
export type ReportedCall<Answer = unknown> = {
  readonly interaction: AccessInteraction;
  /** The type of resource; null if the function is not about one. */
  readonly type: string | null;
  readonly id?: string;
  readonly parameters?: unknown;
  /** The argument that names the user. Without `written`, it has options, whose `onReturn` the function calls. */
  readonly user: { readonly by?: unknown } | undefined;
  /** The content of an answer, if the function has no options. */
  readonly written?: (answer: Answer) => Returned;
};

/** Whether one of the arguments has a `by`. Each is looked at by itself: a body of an unknown type would hide all others. */
type NamesUser<Sent extends readonly unknown[]> = true extends {
  [At in keyof Sent]: 'by' extends keyof NonNullable<Sent[At]> ? true : false;
}[number]
  ? true
  : false;

type IsReported<Part> = Part extends (...sent: infer Sent) => unknown
  ? NamesUser<Sent>
  : Part extends readonly unknown[]
    ? false
    : keyof Reports<Part> extends never
      ? false
      : true;

type ReportOf<Run> = Run extends (...sent: infer Sent) => infer Answer
  ? (...sent: Sent) => ReportedCall<Awaited<Answer>>
  : Reports<Run>;

/**
 * The reports of a service: one for each function that can name a user, so that none is forgotten. The parts of a service
 * are services, too.
 */
export type Reports<Service> = {
  readonly [Name in keyof Service as IsReported<Service[Name]> extends true ? Name : never]: ReportOf<
    Service[Name]
  >;
};

type Report = (...sent: readonly unknown[]) => ReportedCall;

type Iteration = (...sent: readonly unknown[]) => AsyncGenerator<unknown, void>;

/** An access before its outcome is known. */
type Asked = Omit<Access, 'returned' | 'deniedPatientIds' | keyof AccessOutcome>;

/** The content that a call has shown or written, and the charts that it has denied. */
type Observations = { readonly returned: Returned[]; readonly deniedPatientIds: string[] };

/** Plain JavaScript may send anything. */
const textOf = (sent: unknown): string | null => (typeof sent === 'string' ? sent : null);

const queryOf = (parameters: unknown): string =>
  typeof parameters === 'object' && parameters !== null
    ? new URLSearchParams(
        pairsOf(parameters).map(([name, value]): [string, string] => [name, value]),
      ).toString()
    : '';

/** The access that a call asks for; null if it names no user. */
const askedBy = ({ interaction, type, id, parameters, user }: ReportedCall): Asked | null => {
  const by = textOf(user?.by);
  if (by === null) return null;
  return {
    by,
    client: null,
    address: null,
    interaction,
    status: null,
    requestId: null,
    resourceType: textOf(type),
    id: textOf(id),
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

/** Reports the calls of a function that name a user. Any other call is that of the function itself. */
const reportCall =
  (run: EitherFunction, reportOf: Report, report: ReportAccess) =>
  async (...sent: readonly unknown[]): Outcome<unknown> => {
    const call = reportOf(...sent);
    const asked = askedBy(call);
    if (asked === null) return run(...(sent as readonly never[]));
    const { written, user } = call;
    const observations: Observations = { returned: [], deniedPatientIds: [] };
    const reportOutcome = (outcome: AccessOutcome) => report({ ...asked, ...observations, ...outcome });
    const observed = written === undefined ? observe(sent, user as AccessOptions, observations) : sent;
    let answer: E.Either<ClinicalError, unknown>;
    try {
      answer = await run(...(observed as readonly never[]));
    } catch (thrown) {
      await reportOutcome(thrown instanceof ClinicalRecordsError ? outcomeOf(thrown.error) : failed);
      throw thrown;
    }
    if (written !== undefined && E.isRight(answer)) observations.returned.push(written(answer.right));
    const error = await reportOutcome(outcomeOf(E.isLeft(answer) ? answer.left : null));
    return error === null ? answer : E.left(error);
  };

/** An iteration that was called, and what is reported of it. */
type ReportedIteration = {
  readonly items: AsyncGenerator<unknown, void>;
  /** The access; null if the call names no user. */
  readonly asked: Asked | null;
  /** Has what the iteration has returned and is not reported yet. */
  readonly observations: Observations;
};

/** Reports each page of an iteration before its first match is yielded, and an iteration that yields nothing. */
const reportIteration = (run: Iteration, reportOf: Report, report: ReportAccess): Iteration => {
  const begin = (...sent: readonly unknown[]): ReportedIteration => {
    const call = reportOf(...sent);
    const asked = askedBy(call);
    const observations: Observations = { returned: [], deniedPatientIds: [] };
    const observed = asked === null ? sent : observe(sent, call.user as AccessOptions, observations);
    return { items: run(...observed), asked, observations };
  };
  async function* iterate({ items, asked, observations }: ReportedIteration): AsyncGenerator<unknown, void> {
    if (asked === null) return yield* items;
    const { returned, deniedPatientIds } = observations;
    const reportPage = async (outcome: AccessOutcome): Promise<void> => {
      const unrecorded = await report({ ...asked, returned: [...returned], deniedPatientIds, ...outcome });
      returned.length = 0;
      if (unrecorded !== null) throw new ClinicalRecordsError(unrecorded);
    };
    try {
      for await (const item of items) {
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
  return createIteration(begin, iterate);
};

const isUnrecorded = ({ issues }: ClinicalError): boolean =>
  issues.some(({ rule }) => rule === 'unrecorded-access');

/** A service whose calls that name a user are reported. */
export const reportCalls = <Service extends object>(
  service: Service,
  reports: Reports<Service>,
  report: ReportAccess,
): Service => {
  const reported = Object.entries<Report | Reports<object>>(reports).map(([name, part]) => {
    const run = service[name as keyof Service] as ServiceFunction | object;
    if (typeof run !== 'function') return [name, reportCalls(run, part, report)];
    const reportOf = part as Report;
    if (isIteration(run as ServiceFunction))
      return [name, reportIteration(run as Iteration, reportOf, report)];
    return [
      name,
      toPromise(reportCall(eitherOf(run as ServiceFunction) as EitherFunction, reportOf, report)),
    ];
  });
  return { ...service, ...Object.fromEntries(reported) };
};
