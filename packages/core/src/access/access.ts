import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type GeneralError, isFailure, type Outcome, storeFailure } from '../errors.ts';
import { type Agent, type AuthorReference, readOwners } from '../fhir/reference.ts';
import { actor, callback, type OptionForms } from '../forms.ts';
import { waitAtMost } from '../store/wait-at-most.ts';

/** A version of a resource that an answer contains or is about. */
export type ReturnedResource = {
  /** The type, such as `Goal`. */
  readonly type: string;
  readonly id: string;
  /** The number of the version; null if the resource has none. */
  readonly version: number | null;
  /** The patient to whom the resource belongs; null if it belongs to none. */
  readonly patientId: string | null;
};

/** The content of an answer, or a part of it. */
export type AnswerContent = {
  /** The versions that the answer contains, included ones too. After a write, the version that was written. */
  readonly resources: readonly ReturnedResource[];
  /** The patients whom a search names, or whose history is read. They count as seen even if nothing of them is shown. */
  readonly searchedPatientIds: readonly string[];
  /** Set if a write has written nothing, because it was done before. It is recorded as a read of what was there. */
  readonly isUnwritten?: true | undefined;
};

/**
 * The kind of an access. `$everything`, `$export` and a stream of events are operations, and the only delete is an erasure.
 * Source: FHIR R4, RESTful API, and its code system `restful-interaction`.
 */
export type AccessInteraction =
  | ('read' | 'vread' | 'history' | 'search')
  | ('create' | 'update' | 'delete')
  | 'operation';

/** An access, with its user and its answer: one request over HTTP, or one call in process that names a user. */
export type AccessEvent = {
  /** When the answer was ready, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** A reference to the user, such as `Practitioner/12`; null if the user is not known. */
  readonly by: string | null;
  /** The client that acts for the user; null if it is not known. */
  readonly client: string | null;
  /** The software that acts for the user, such as an assistant; absent if the user acts. */
  readonly agent?: Agent;
  /** The network address of the client; null for a call in process, or if it is not known. */
  readonly address: string | null;
  /** The operation; null if the interface does not have it. */
  readonly interaction: AccessInteraction | null;
  /** The type of resource that was asked for; null if the interface does not have it. */
  readonly resourceType: string | null;
  /** The id that was asked for; null if there is none. */
  readonly id: string | null;
  /** The parameters of a search as a query string; empty if there are none. */
  readonly query: string;
  /** Everything that the answer contains, or that a write has written. */
  readonly resources: readonly ReturnedResource[];
  /**
   * The patients who were seen: those of the resources, those whom a search names, and those of a history. Of a refused or failed
   * access, the patients whose charts were asked for. Each once.
   */
  readonly patientIds: readonly string[];
  /** `refused` if the sender has to change something, and `failed` if the server or the store failed. */
  readonly outcome: 'success' | 'refused' | 'failed';
  /** The names of the broken rules, in `docs/errors.md`; empty for a success. */
  readonly rules: readonly string[];
  /** The HTTP status; null for a call in process. */
  readonly status: number | null;
  /** The `X-Request-Id` of the request and its response; null for a call in process. */
  readonly requestId: string | null;
};

/**
 * Is called with each access, and awaited before the answer is returned. If it rejects, or takes longer than 10 seconds, the answer is
 * a `StoreFailure` that contains nothing of a chart.
 */
export type OnAccess = (event: AccessEvent) => PromiseLike<unknown> | unknown;

/** The options that report what a call shows, writes and refuses. */
export type AccessHooks = {
  /**
   * Is called with what the answer shows, or with the version that was written, before it is returned. An iteration calls it before
   * the first match of each page.
   */
  readonly onReturn?: ((returned: AnswerContent) => void) | undefined;
  /** Is called with the patient of each chart in which something was asked for that is out of reach. */
  readonly onDeny?: ((patientId: string) => void) | undefined;
};

/** The options that say who reads, and report what is returned. */
export type AccessOptions = AccessHooks & {
  /** A reference to the user who asks, such as `Practitioner/12`. The call is then reported to `onAccess`. */
  readonly by?: AuthorReference | undefined;
};

const hookForms: OptionForms<AccessHooks> = { onReturn: callback, onDeny: callback };

export const accessForms: OptionForms<AccessOptions> = { ...hookForms, by: actor };

/** Reports what a function returns, if its caller asks for that. */
export const reportReturned = async <A>(
  { onReturn }: AccessOptions,
  outcome: Outcome<A>,
  resourcesOf: (answer: A) => AnswerContent['resources'],
): Outcome<A> => {
  const answer = await outcome;
  if (onReturn !== undefined && E.isRight(answer))
    onReturn({ resources: resourcesOf(answer.right), searchedPatientIds: [] });
  return answer;
};

/** The elements of a FHIR resource that say which version it is. */
type ParsedResource = {
  readonly resourceType: string;
  readonly id?: string;
  readonly meta?: { readonly versionId?: unknown };
};

/** A resource as an answer shows it: once for each patient to whom it belongs, and once if it belongs to none. */
export const returnedResourcesOf = (resource: object): readonly ReturnedResource[] => {
  const parsed = resource as ParsedResource;
  const { resourceType: type, id = '', meta } = parsed;
  const number = Number(meta?.versionId);
  const version = Number.isSafeInteger(number) && number > 0 ? number : null;
  const { patientIds } = readOwners(parsed);
  if (patientIds.length === 0) return [{ type, id, version, patientId: null }];
  return patientIds.map((patientId) => ({ type, id, version, patientId }));
};

/** A resource that is a JSON text, as an answer shows it: once for each patient to whom it belongs. */
export const returnedResourcesIn = (json: string): readonly ReturnedResource[] =>
  returnedResourcesOf(JSON.parse(json));

/** An access before it is reported. */
export type Access = Omit<AccessEvent, 'at' | 'resources' | 'patientIds'> & {
  /** The content of the answer, in parts. */
  readonly returned: readonly AnswerContent[];
  /** The patients whose charts were asked for and are out of reach. They only count if the access is not a success. */
  readonly deniedPatientIds: readonly string[];
  /** Whether a write may have written, as far as is known. */
  readonly mayBeWritten: boolean;
};

/** Reports an access. Returns the error that becomes the answer if that fails, and null otherwise. */
export type ReportAccess = (access: Access) => Promise<GeneralError | null>;

const isWrite = ({ interaction }: Pick<AccessEvent, 'interaction'>): boolean =>
  interaction === 'create' || interaction === 'update' || interaction === 'delete';

/** The outcome of a call, the rules that it has broken, and whether it may have written. */
export type AccessOutcome = Pick<Access, 'outcome' | 'rules' | 'mayBeWritten'>;

/** The outcome of a call that throws, for example because `authorize` does. */
export const failed: AccessOutcome = { outcome: 'failed', rules: [], mayBeWritten: true };

/** Whether a write that ends with an error may have written all the same. */
export const mayBeWritten = (error: ClinicalError): boolean =>
  error._tag === 'StoreFailure' && error.isOutcomeUnknown === true;

export const outcomeOf = (error: ClinicalError | null): AccessOutcome => {
  if (error === null) return { outcome: 'success', rules: [], mayBeWritten: true };
  const rules = [...new Set(error.issues.map(({ rule }) => rule))];
  return {
    outcome: isFailure(error) ? 'failed' : 'refused',
    rules,
    mayBeWritten: mayBeWritten(error),
  };
};

/** A write that has written nothing is a read of what was there. */
const asRead = (access: Access): Access =>
  isWrite(access) && access.returned.some(({ isUnwritten }) => isUnwritten === true)
    ? { ...access, interaction: 'read' }
    : access;

/** After a write, a client that thinks it has failed would send it again. */
const errorOf = (access: Access, cause: unknown): GeneralError =>
  storeFailure(isWrite(access) && access.mayBeWritten ? 'unrecorded-write' : 'unrecorded-access', cause);

/** The patients of an answer, or of what was denied. */
const patientsOf = ({ outcome, returned, deniedPatientIds }: Access): Iterable<string> =>
  outcome === 'success'
    ? [
        ...returned.flatMap(({ resources }) => resources.flatMap(({ patientId }) => patientId ?? [])),
        ...returned.flatMap(({ searchedPatientIds }) => searchedPatientIds),
      ]
    : deniedPatientIds;

const toEvent = (access: Access, at: number): AccessEvent => {
  const { returned, deniedPatientIds: _, mayBeWritten: __, ...rest } = access;
  return {
    at,
    ...rest,
    resources: access.outcome === 'success' ? returned.flatMap(({ resources }) => resources) : [],
    patientIds: [...new Set(patientsOf(access))],
  };
};

export const createAccessReporter =
  (onAccess: OnAccess, now: () => number): ReportAccess =>
  async (reported) => {
    const access = asRead(reported);
    try {
      await waitAtMost('onAccess', onAccess(toEvent(access, now())));
      return null;
    } catch (cause) {
      return errorOf(access, cause);
    }
  };
