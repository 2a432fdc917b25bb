import * as E from 'fp-ts/lib/Either.js';
import type { WithWarnings } from '../access/warnings.ts';
import {
  type ClinicalError,
  createIssueFactory,
  erasedError,
  invalidRequest,
  notFound,
  type Outcome,
  preconditionFailed,
  ruleViolation,
  toClinicalError,
} from '../errors.ts';
import { type Identifier, identifierTokens } from '../fhir/identifier.ts';
import { bodyIssue } from '../fhir/issues.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { Decimal, isObject } from '../fhir/schema.ts';
import { anything, type OptionForms } from '../forms.ts';
import { isSearchable } from '../search/index-entries.ts';
import { maxCount, type PageOrigin } from '../search/paging.ts';
import { parseTokenCriterion } from '../search/parameters.ts';
import { splitUnescaped } from '../search/search-input.ts';
import type { ClinicalStore, RecordChange, RecordRef, StoredRecord } from '../store/port.ts';
import { exactVersion, sha256 } from '../store/versions.ts';
import type { RecordDefinition, ResourceFacts } from './definition.ts';
import { createFind, type FoundPage } from './find.ts';
import { createResourceVersion, isEnteredInError, type ResourceVersion, resourceVersionOf } from './page.ts';
import { type Authorship, createChange, isErasedVersion, load, missingRecord } from './transact.ts';

export const idempotencyIssues = {
  'idempotency-key-form': 'The idempotency key must have 1 to 255 visible ASCII characters, without spaces.',
  'idempotency-key-reused': 'The idempotency key was used before with a different body.',
  'if-none-exist-form':
    'If-None-Exist must name one identifier, such as identifier=urn:oid:1.2.3|A-1, of at most 500 characters, and nothing else.',
  'if-none-exist-differs': 'The body does not have the identifier that If-None-Exist names.',
  'if-none-exist-many': 'Several resources of the patient have the identifier that If-None-Exist names.',
} as const;

const idempotencyIssue = createIssueFactory(idempotencyIssues);

/** The options that make a retry safe. */
export type IdempotencyOptions = {
  /**
   * A text that the caller sends with each retry, and with no other request: 1 to 255 visible ASCII characters. Callers with
   * different `by` have different keys.
   */
  readonly idempotencyKey?: string | undefined;
};

// It is an `InvalidRequest` unless it has the form of a key.
export const idempotencyForms: OptionForms<IdempotencyOptions> = { idempotencyKey: anything };

/** The resource created for a key, and its request. The key and the request are stored as digests, which reveal nothing of them. */
type KeyRecord = WithWarnings & {
  readonly id: string;
  readonly patientId: string | null;
  readonly request: string;
  readonly made: RecordRef & { readonly version: number };
  /** Set if the request found the resource by its identifier, and created nothing. */
  readonly isExisting?: true;
};

export const idempotencyKeyRecordDefinition: RecordDefinition<KeyRecord> = {
  type: 'IdempotencyKey',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: ({ made: { type, id } }) => [{ type, id }],
  withPatient: (state, _, patientId) => ({ ...state, patientId }),
};

/** Reads the result of the first request from a stored version; null if there is nothing to read. */
type ReadStored = (stored: StoredRecord) => ResourceVersion | null;

/** Reads the resource as it was created, without later changes. */
const readCreatedVersion = async (
  store: ClinicalStore,
  { made: { type, id, version }, isExisting, warnings }: KeyRecord,
  readStored: ReadStored,
): Outcome<ResourceVersion> => {
  const read = await store.readVersion({ type, id, version });
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  const stored = read.right;
  if (stored !== null && isErasedVersion(stored)) return E.left(erasedError);
  const created = stored && readStored(stored);
  return created === null
    ? E.left(notFound(type, id))
    : E.right({
        ...created,
        isUnwritten: true,
        ...(isExisting && { isExisting }),
        ...(warnings && { warnings }),
      });
};

/** Creates a resource in a buffered store, unless it was created before. */
export type CreateOnce = (
  buffer: ClinicalStore,
  make: () => Outcome<ResourceVersion>,
) => Outcome<ResourceVersion>;

const isIdempotencyKey = (key: unknown): boolean =>
  typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key);

/** Numbers with at most this many digits are equal in JavaScript only if their values are. */
const exactDigits = 15;

/** Makes parts the same whose values are: properties in the order of their names, and 0.50 as 0.5. */
const normalize = (_: string, part: unknown): unknown => {
  if (part instanceof Decimal) return part.decimal.length > exactDigits ? part.decimal : Number(part);
  return isObject(part)
    ? Object.fromEntries(
        Object.keys(part)
          .sort()
          .map((name) => [name, part[name]]),
      )
    : part;
};

/** The key of a request, which the same commit writes as what the request makes. */
export type RequestKey = {
  /** The result of the first request, by the stored key; null if there is none. */
  readonly resultOf: (store: ClinicalStore, stored: StoredRecord | null) => Outcome<ResourceVersion> | null;
  readonly ref: RecordRef;
  /** The change that writes the key. */
  readonly change: (made: ResourceVersion) => RecordChange;
};

/** The request for which a key is used. */
type KeyedRequest = {
  readonly by: AuthorReference | null;
  readonly type: string;
  readonly body: unknown;
  readonly readStored?: ReadStored;
};

/** Opens the key of a request; null if it has none. */
export const openKey = (
  { idempotencyKey: key }: IdempotencyOptions,
  { by, type, body, readStored = (stored) => resourceVersionOf(type, stored) }: KeyedRequest,
): E.Either<ClinicalError, RequestKey | null> => {
  if (key === undefined) return E.right(null);
  if (!isIdempotencyKey(key)) return E.left(invalidRequest(idempotencyIssue('idempotency-key-form')));
  // `JSON.stringify` throws for a value that is nested too deeply, and for one that JSON does not have.
  const ofRequest = E.tryCatch(
    () => JSON.stringify([type, body], normalize),
    () => invalidRequest(bodyIssue('many', type)),
  );
  if (E.isLeft(ofRequest)) return ofRequest;
  const id = sha256(JSON.stringify([by, key]));
  const request = sha256(ofRequest.right);
  return E.right({
    ref: { type: idempotencyKeyRecordDefinition.type, id },
    resultOf: (store, stored) => {
      if (stored === null) return null;
      if (isErasedVersion(stored)) return Promise.resolve(E.left(erasedError));
      const state = JSON.parse(stored.state) as KeyRecord;
      return state.request === request
        ? readCreatedVersion(store, state, readStored)
        : Promise.resolve(E.left(ruleViolation(idempotencyIssue('idempotency-key-reused'))));
    },
    change: ({ id: createdId, patientId, version, lastModified: at, isExisting, warnings }) => {
      const state: KeyRecord = {
        ...{ id, patientId, request, made: { type, id: createdId, version } },
        ...(isExisting && { isExisting }),
        ...(warnings && { warnings }),
      };
      return createChange(idempotencyKeyRecordDefinition, missingRecord(id), state, { at, by });
    },
  });
};

/**
 * Creates a resource only once for a key. A retry with the same body gets the result of the first request; the order of
 * properties does not count. A retry with another body is refused. The same commit writes the key and the resource. A
 * refused request does not use up its key.
 */
export const createOnceForKey = (
  options: IdempotencyOptions,
  request: KeyedRequest,
): E.Either<ClinicalError, CreateOnce> => {
  const opened = openKey(options, request);
  if (E.isLeft(opened)) return opened;
  const key = opened.right;
  if (key === null) return E.right((_, create) => create());
  return E.right(async (buffer, create) => {
    const stored = await buffer.read(key.ref);
    if (E.isLeft(stored)) return E.left(toClinicalError(stored.left));
    const first = key.resultOf(buffer, stored.right);
    if (first !== null) return first;
    const created = await create();
    if (E.isLeft(created)) {
      // The first request may have been written since, and be the reason. The buffer has the key as first read, but no versions.
      const written = await buffer.readVersion({ ...key.ref, version: 1 });
      if (E.isLeft(written)) return E.left(toClinicalError(written.left));
      return key.resultOf(buffer, written.right) ?? created;
    }
    const { id, version, isExisting } = created.right;
    // A step that changes nothing does not write its record, which may be erased before the commit.
    const versionChecks = isExisting ? [] : [{ type: request.type, id, expects: exactVersion(version) }];
    const committed = await buffer.commit({ changes: [key.change(created.right)], versionChecks });
    return E.isLeft(committed) ? E.left(toClinicalError(committed.left)) : created;
  });
};

/** The facts about a type on which a conditional create depends. */
type ConditionalFacts = Pick<ResourceFacts, 'type' | 'inError'>;

/** The option that makes a create conditional. */
export type ConditionalOptions = {
  /**
   * An identifier of the body, such as `identifier=urn:oid:1.2.3|A-1`, with the type and a `?` before it or without. If a resource of the patient has it, and is not entered in
   * error, nothing is created, and the result is that resource. Errors beside those of a create: `PreconditionFailed`, if several have it.
   * Source: FHIR R4, RESTful API, 3.1.0.8.1.
   */
  readonly ifNoneExist?: string | undefined;
};

export const conditionalForms: OptionForms<ConditionalOptions> = { ifNoneExist: anything };

/**
 * The identifiers of the resources of one type in a chart. Whatever adds a resource only if none of the patient has its identifier
 * writes a new version. So of two that do so at the same moment, the second is decided again, and finds the first.
 */
type ChartIdentifiers = { readonly id: string; readonly patientId: string };

type ChartIdentifiersKey = { readonly type: string; readonly patientId: string };

export const chartIdentifiersDefinition: RecordDefinition<ChartIdentifiers> = {
  type: 'ChartIdentifiers',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: () => [],
  withPatient: null,
};

/** The record to read before the resources of a patient are searched by an identifier. */
export const chartIdentifiersRef = ({ type, patientId }: ChartIdentifiersKey): RecordRef => ({
  type: chartIdentifiersDefinition.type,
  id: `${type}/${patientId}`,
});

/** The change to write with a resource that is added. */
export const changeChartIdentifiers = async (
  store: ClinicalStore,
  key: ChartIdentifiersKey,
  authorship: Authorship,
): Outcome<RecordChange> => {
  const { id } = chartIdentifiersRef(key);
  const loaded = await load(store, chartIdentifiersDefinition, id);
  if (E.isLeft(loaded)) return loaded;
  const state = { id, patientId: key.patientId };
  return E.right(createChange(chartIdentifiersDefinition, loaded.right, state, authorship));
};

/**
 * The system and the value that a condition on a type names, which may be before it, as in a URL; null if it is anything else, or no
 * search would find it.
 */
const parseIdentifier = (
  type: string,
  condition: unknown,
): { readonly system: string; readonly code: string } | null => {
  const text = typeof condition === 'string' ? condition : '';
  const query = text.startsWith(`${type}?`) ? text.slice(type.length) : text;
  const [first, ...others] = new URLSearchParams(query);
  const [name, value = ''] = first ?? [];
  const token = splitUnescaped(',')(value).length === 1 ? parseTokenCriterion(value) : null;
  const isOne = others.length === 0 && name === 'identifier';
  if (!isOne || !token?.system || !token.code) return null;
  const named = { system: token.system, code: token.code };
  return isSearchable(named) ? named : null;
};

/** The resources of a patient that have an identifier and are not entered in error: two at most. */
const findByIdentifier = async (
  store: ClinicalStore,
  facts: ConditionalFacts,
  { patientId, ...token }: { readonly patientId: string; readonly system: string; readonly code: string },
): Outcome<readonly ResourceVersion[]> => {
  const { type } = facts;
  const conditions = [
    { on: 'patient', anyOf: [patientId] },
    { on: 'token', parameter: 'identifier', anyOf: [token] },
  ] as const;
  const find = createFind(store);
  const found: ResourceVersion[] = [];
  for (let next: PageOrigin | null = { offset: 0 }; next !== null && found.length < 2; ) {
    const query = { type, conditions, count: maxCount, withTotal: false };
    const page: E.Either<ClinicalError, FoundPage> = await find(query, next);
    if (E.isLeft(page)) return page;
    for (const { id, ...match } of page.right.matches)
      if (!isEnteredInError(facts, JSON.parse(match.resource)))
        found.push(createResourceVersion(type, id, { ...match, patientId }));
    next = page.right.end;
  }
  return E.right(found);
};

/**
 * Creates a resource only if none of its patient has an identifier. The same commit writes `ChartIdentifiers`, so of two requests
 * at the same moment, one creates it and the other finds it.
 */
export const createIfNoneExists = (
  facts: ConditionalFacts,
  { ifNoneExist }: ConditionalOptions,
  {
    by,
    patientId,
    identifiers = [],
  }: {
    readonly by: AuthorReference | null;
    readonly patientId: string;
    readonly identifiers: readonly Identifier[] | undefined;
  },
): E.Either<ClinicalError, CreateOnce> => {
  if (ifNoneExist === undefined) return E.right((_, create) => create());
  const { type } = facts;
  const named = parseIdentifier(type, ifNoneExist);
  if (named === null) return E.left(invalidRequest(idempotencyIssue('if-none-exist-form')));
  const isOfBody = identifierTokens(identifiers).some(
    ({ system, code }) => system === named.system && code === named.code,
  );
  if (!isOfBody)
    return E.left(invalidRequest(idempotencyIssue('if-none-exist-differs', `${type}.identifier`)));
  return E.right(async (buffer, create) => {
    const before = await buffer.read(chartIdentifiersRef({ type, patientId }));
    if (E.isLeft(before)) return E.left(toClinicalError(before.left));
    const found = await findByIdentifier(buffer, facts, { patientId, ...named });
    if (E.isLeft(found)) return found;
    const [existing, another] = found.right;
    if (another !== undefined) return E.left(preconditionFailed(idempotencyIssue('if-none-exist-many')));
    if (existing !== undefined) return E.right({ ...existing, isExisting: true, isUnwritten: true });
    const created = await create();
    if (E.isLeft(created)) return created;
    const authorship = { at: created.right.lastModified, by };
    const change = await changeChartIdentifiers(buffer, { type, patientId }, authorship);
    if (E.isLeft(change)) return change;
    const committed = await buffer.commit({ changes: [change.right], versionChecks: [] });
    return E.isLeft(committed) ? E.left(toClinicalError(committed.left)) : created;
  });
};
