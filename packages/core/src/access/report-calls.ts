import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { ClinicalError } from '../errors.ts';
import { createResult, type Result } from '../result.ts';
import { pairsOf } from '../search/search-input.ts';
import type { AccessInteraction, Returned, ReturnedResource } from './access-event.ts';
import type { AccessOptions } from './access-options.ts';
import { failed, isWrite, type Outcome, outcomeOf, type ReportAccess } from './access-reporter.ts';
import { returnedResourcesOf } from './returned-resources.ts';

/** The operation of a function, and the places of its arguments. */
type ReportedFunction = {
  readonly interaction: AccessInteraction;
  /** The argument that names the user. */
  readonly optionsAt: number;
  readonly typeAt?: number;
  readonly idAt?: number;
  readonly parametersAt?: number;
};

/** The functions that can name a user. A name means the same in each service. */
const reportedFunctions: Readonly<Record<string, ReportedFunction>> = {
  read: { interaction: 'read', idAt: 0, optionsAt: 1 },
  readVersion: { interaction: 'vread', idAt: 0, optionsAt: 2 },
  readResource: { interaction: 'read', typeAt: 0, idAt: 1, optionsAt: 2 },
  history: { interaction: 'history', idAt: 0, optionsAt: 1 },
  historyBundle: { interaction: 'history', idAt: 0, parametersAt: 1, optionsAt: 2 },
  search: { interaction: 'search', parametersAt: 0, optionsAt: 1 },
  all: { interaction: 'search', parametersAt: 0, optionsAt: 1 },
  everything: { interaction: 'operation', idAt: 0, parametersAt: 1, optionsAt: 2 },
  commandsOf: { interaction: 'read', optionsAt: 1 },
  create: { interaction: 'create', optionsAt: 1 },
  update: { interaction: 'update', idAt: 0, optionsAt: 2 },
  setParticipantStatus: { interaction: 'update', idAt: 0, optionsAt: 3 },
  removeAllParticipants: { interaction: 'update', idAt: 0, optionsAt: 1 },
  record: { interaction: 'create', optionsAt: 1 },
  commit: { interaction: 'update', idAt: 0, optionsAt: 1 },
  completeOrder: { interaction: 'update', idAt: 0, optionsAt: 1 },
  enterInError: { interaction: 'update', idAt: 0, optionsAt: 1 },
};

/** How a service is reported. */
type ReportedService = { readonly type: string | null; readonly report: ReportAccess };

type AnyFunction = (...sent: readonly unknown[]) => Result<unknown> | AsyncGenerator<unknown>;

/** The resource that a write returns: as it is read, as JSON text with its version, or behind a command. */
const writtenResources = (type: string | null, answer: object): readonly ReturnedResource[] => {
  if ('resourceId' in answer) {
    const { resourceType, resourceId, patientId } = answer as Readonly<Record<string, string>>;
    return [{ type: `${resourceType}`, id: `${resourceId}`, version: null, patientId: patientId ?? null }];
  }
  if ('json' in answer) {
    const { id, version, patientId } = answer as { readonly json: unknown } & Omit<ReturnedResource, 'type'>;
    return [{ type: type ?? '', id, version, patientId }];
  }
  return returnedResourcesOf(answer);
};

const textAt = (sent: readonly unknown[], at: number | undefined): string | null => {
  const text = at === undefined ? undefined : sent[at];
  return typeof text === 'string' ? text : null;
};

const queryOf = (parameters: unknown): string =>
  typeof parameters === 'object' && parameters !== null
    ? new URLSearchParams(
        pairsOf(parameters).map(([name, value]): [string, string] => [name, value]),
      ).toString()
    : '';

/** Reports the calls of a function that name a user. Any other call is that of the function itself. */
const reportFunction =
  (
    run: AnyFunction,
    { interaction, optionsAt, typeAt, idAt, parametersAt }: ReportedFunction,
    { type, report }: ReportedService,
  ): AnyFunction =>
  (...sent) => {
    const options = sent[optionsAt] as AccessOptions | null | undefined;
    const by = options?.by;
    if (typeof by !== 'string') return run(...sent);
    const known = {
      ...{ by, client: null, address: null, interaction, status: null, requestId: null },
      resourceType: textAt(sent, typeAt) ?? type,
      id: textAt(sent, idAt),
      query: parametersAt === undefined ? '' : queryOf(sent[parametersAt]),
    };
    let returned: Returned[] = [];
    const reportOutcome = (outcome: Outcome): Promise<ClinicalError | null> =>
      report({ ...known, returned, ...outcome });
    const observed: unknown[] = [...sent];
    observed[optionsAt] = {
      ...options,
      onReturn: (one: Returned) => {
        returned.push(one);
        options?.onReturn?.(one);
      },
    };
    const answering = run(...observed);
    if (typeof answering !== 'function') return reportPages(answering, { returned, reportOutcome });
    return createResult(async () => {
      returned = [];
      const answer = await answering().catch(async (cause) => {
        await reportOutcome(failed);
        throw cause;
      });
      if (E.isRight(answer) && isWrite({ interaction })) {
        const resources = writtenResources(type, answer.right as object);
        returned.push({ resources, searchedPatientIds: [] });
      }
      const error = await reportOutcome(outcomeOf(E.isLeft(answer) ? answer.left : null));
      return error === null ? answer : E.left(error);
    });
  };

/** Reports each page of an iteration before its first match is yielded, and an iteration that yields nothing. */
async function* reportPages(
  pages: AsyncGenerator<unknown>,
  {
    returned,
    reportOutcome,
  }: {
    readonly returned: Returned[];
    readonly reportOutcome: (outcome: Outcome) => Promise<ClinicalError | null>;
  },
): AsyncGenerator<unknown, void> {
  const reportPage = async (outcome: Outcome): Promise<void> => {
    const unrecorded = await reportOutcome(outcome);
    returned.length = 0;
    if (unrecorded !== null) throw new ClinicalRecordsError(unrecorded);
  };
  try {
    for await (const one of pages) {
      if (returned.length > 0) await reportPage(outcomeOf(null));
      yield one;
    }
    if (returned.length > 0) await reportPage(outcomeOf(null));
  } catch (thrown) {
    if (!(thrown instanceof ClinicalRecordsError)) await reportPage(failed);
    else if (!thrown.issues.some(isUnrecorded)) await reportPage(outcomeOf(thrown.error));
    throw thrown;
  }
}

const isUnrecorded = ({ rule }: { readonly rule: string }): boolean => rule === 'unrecorded-access';

/** A service whose calls that name a user are reported. */
export const reportCalls = <Service extends object>(service: Service, reported: ReportedService): Service =>
  Object.fromEntries(
    Object.entries<AnyFunction | object>(service as Record<string, AnyFunction | object>).map(
      ([name, part]) => {
        if (typeof part !== 'function') return [name, reportCalls(part, reported)];
        const definition = reportedFunctions[name];
        return [
          name,
          definition === undefined ? part : reportFunction(part as AnyFunction, definition, reported),
        ];
      },
    ),
  ) as Service;
