import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccessEvent } from '../access/access.ts';
import { type ReadOptions, readForms } from '../access/chart-limit.ts';
import type { ParameterDescription } from '../description/describe-parameters.ts';
import { type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import { renderBundle, renderIgnored, renderSearchEntry } from '../fhir/bundle.ts';
import { type Form, listOf, number, text, valuesOf } from '../forms.ts';
import { type FunctionTable, openService } from '../open-service.ts';
import { checkOptionNames } from '../options.ts';
import { ClinicalRecordsError, orThrow } from '../outcome.ts';
import { type SearchPairs, searchParameters } from '../search/search-input.ts';
import { type AuditEvent, deriveAuditEvent } from './audit-event.ts';
import {
  type AuditSearch,
  auditLinks,
  describeAuditSearch,
  limitQuery,
  parseAuditSearch,
} from './audit-search.ts';
import { type AuditExpiry, expireAudit } from './expire-audit.ts';
import {
  type AuditEntry,
  type AuditQuery,
  type AuditStore,
  auditEntriesOf,
  type StoredAuditEntry,
} from './port.ts';
import { type AuditVerification, verifyAudit } from './verify-audit.ts';

/** The store of an audit log, and the name of the server. */
export type AuditLogOptions = {
  /** Where the entries are, such as `openSqliteAuditStore()` returns it. */
  readonly store: AuditStore;
  /** The name of this server in the events: a URI, such as the URL of the interface. Default: `urn:clinical-records`. */
  readonly site?: string;
};

/** The accesses to the records of a clinic, as FHIR AuditEvents. Nothing in it is ever changed. */
export type AuditLog = {
  /**
   * Appends an access. Pass it to `createClinicalRecords` as `onAccess`. Accesses that come together are one write. Refused
   * requests of unknown senders are counted: one entry a minute for each address.
   */
  readonly onAccess: (event: AccessEvent) => Promise<void>;
  /**
   * Finds the users who looked at a chart, or the charts that a user has seen. A reading of the log is not an event by itself; over HTTP it is.
   * Errors: `StoreFailure`.
   *
   * @example
   * const { events } = await audit.search({ patientIds: ['7'], count: 20 });
   */
  readonly search: (query: AuditQuery) => Promise<AuditPage>;
  /**
   * The same as a `Bundle` in JSON text, by the parameters of FHIR: `patient`, `agent`, `date` and `_count`. It has no total.
   * Errors: `InvalidRequest`, `StoreFailure`.
   */
  readonly searchBundle: (parameters: AuditSearch | SearchPairs, options?: ReadOptions) => Promise<string>;
  /** The search parameters of `searchBundle`. */
  readonly parameters: () => readonly ParameterDescription[];
  /** All events as NDJSON, oldest first: one line each, with its line feed. It holds some hundred at a time. */
  readonly export: () => AsyncGenerator<string, void>;
  /**
   * Removes the oldest events, up to the first one that is not before a time, and returns their number. An event says who
   * removed them, and up to which one. The chain of digests continues from there. Errors: `StoreFailure`; a `Misuse` if `until` is not a
   * time, or `by` is missing.
   *
   * @example
   * await audit.expire({ until: Date.now() - 10 * 365 * 24 * 60 * 60 * 1000, by: 'Device/retention' });
   */
  readonly expire: (expiry: AuditExpiry) => Promise<{ readonly removed: number }>;
  /**
   * Follows the chain of digests. It finds each entry that was changed, removed or inserted. `head` is that of an earlier
   * verification. If it is not in the log any more, the newest entries were removed, or all digests were written again. Errors: `StoreFailure`.
   */
  readonly verify: (options?: { readonly head?: string | undefined }) => Promise<AuditVerification>;
};

/** The result of `search` of an audit log. */
export type AuditPage = {
  /** The events, newest first. */
  readonly events: readonly AuditEvent[];
  /** The `before` of the next page; null if nothing follows. */
  readonly next: number | null;
};

const auditQuery = valuesOf<AuditQuery>(
  {
    patientIds: listOf(text),
    users: listOf(text),
    from: number,
    until: number,
    before: number,
    count: number,
  },
  'count',
);

const accessEvent: Form = {
  is: (value) => {
    const { resources, patientIds } = (value ?? {}) as { readonly [name: string]: unknown };
    return Array.isArray(resources) && Array.isArray(patientIds);
  },
  must: 'an access, as the records report it to onAccess',
};

const auditFunctions: FunctionTable<AuditLog> = {
  onAccess: { kind: 'write', takes: [accessEvent], access: null },
  search: { kind: 'search', takes: [auditQuery] },
  // Over HTTP, the request is reported.
  searchBundle: { kind: 'search', takes: [searchParameters], options: readForms, access: null },
  parameters: { kind: 'pure', takes: [] },
  export: { kind: 'stream', takes: [] },
  expire: {
    kind: 'write',
    takes: [valuesOf<AuditExpiry>({ until: number, by: text }, 'until', 'by')],
    access: null,
  },
  verify: { kind: 'read', takes: [], options: { head: text } },
};

/** The requests of one turn have their answers at its end. */
const endOfTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Entries that are written together. */
type EntryBatch = { readonly entries: AuditEntry[]; readonly written: Promise<void> };

/**
 * Appends the entries that come together in one durable write, because the sync is the expensive part. While one write is
 * under way, the next ones are collected. Rejects if the entries cannot be stored.
 */
const createAppendQueue = ({
  append,
}: Pick<AuditStore, 'append'>): ((entries: readonly AuditEntry[]) => Promise<void>) => {
  let collecting: EntryBatch | null = null;
  let lastWrite: Promise<unknown> = Promise.resolve();

  const startBatch = (): EntryBatch => {
    const entries: AuditEntry[] = [];
    const write = lastWrite.then(endOfTurn).then(() => {
      collecting = null;
      return append(entries);
    });
    // A store that rejects, against its port, fails this batch and not all that follow.
    lastWrite = write.catch(() => {});
    const written = write.then((result) => {
      if (E.isLeft(result)) throw new ClinicalRecordsError(result.left);
    });
    return { entries, written };
  };

  return (entries) => {
    collecting ??= startBatch();
    collecting.entries.push(...entries);
    return collecting.written;
  };
};

/** How many milliseconds the refused requests of an unknown sender share one entry. */
const refusalPeriod = 60_000;

/** The most addresses that have an entry of their own in a minute. The others share one. */
const maxAddresses = 100;

/** A refused access of an unknown sender, with the number of its requests. */
type RefusedAccess = AccessEvent & { readonly requests: number };

/** The requests of an address since its last entry. */
type UnknownSender = { readonly refused: RefusedAccess; readonly until: number; requests: number };

/** Whether a request over HTTP was refused before its sender was known. */
const isOfUnknownSender = ({ by, client, status, outcome }: AccessEvent): boolean =>
  by === null && client === null && status !== null && outcome !== 'success';

/**
 * Counts refused accesses of unknown senders, who could fill a disk with them. Returns what is to be recorded now: the first
 * request of an address, without what the sender wrote, and the number of the others once the minute is over.
 */
const createUnknownSenders = (): ((event: AccessEvent) => readonly RefusedAccess[]) => {
  const senders = new Map<string | null, UnknownSender>();

  /** The requests that were counted in the minutes that are over. A clock that was set back ends a minute, too. */
  const takeCounted = (at: number): readonly RefusedAccess[] => {
    const counted: RefusedAccess[] = [];
    for (const [address, { refused, until, requests }] of senders) {
      if (at < until && at >= until - refusalPeriod) continue;
      senders.delete(address);
      if (requests > 0) counted.push({ ...refused, at, requests });
    }
    return counted;
  };

  return (event) => {
    const counted = takeCounted(event.at);
    const isKnown = senders.has(event.address);
    const address = isKnown || senders.size < maxAddresses ? event.address : null;
    const sender = senders.get(address);
    if (sender !== undefined) {
      sender.requests += 1;
      return counted;
    }
    const refused: RefusedAccess = {
      ...event,
      address,
      interaction: null,
      resourceType: null,
      id: null,
      query: '',
      requestId: null,
      requests: 1,
    };
    senders.set(address, { refused, until: event.at + refusalPeriod, requests: 0 });
    return [...counted, refused];
  };
};

type FoundEntries = Pick<AuditPage, 'next'> & { readonly entries: readonly StoredAuditEntry[] };

const pageSize = 500;

const findPage = async (store: AuditStore, query: AuditQuery): Outcome<FoundEntries> => {
  const read = await store.search({ ...query, count: query.count + 1 });
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  const page = read.right.slice(0, query.count);
  const next = read.right.length > page.length ? (page.at(-1)?.position ?? null) : null;
  return E.right({ entries: page, next });
};

/** Derives the event of an entry. */
type EventWriter = (entry: StoredAuditEntry) => ReturnType<typeof deriveAuditEvent>;

/** Searches, and renders the events of a page as a Bundle. */
const searchBundle = async (
  { store, toEvent }: { readonly store: AuditStore; readonly toEvent: EventWriter },
  parameters: AuditSearch | SearchPairs,
  options: ReadOptions,
): Outcome<string> => {
  const parsed = parseAuditSearch(parameters, options);
  if (E.isLeft(parsed)) return parsed;
  const { search: parsedSearch } = parsed.right;
  const query = await limitQuery(parsed.right.query, options);
  const page = await findPage(store, query);
  if (E.isLeft(page)) return page;
  const { entries, next } = page.right;
  options.onReturn?.({
    resources: entries.map(({ position, patientId }) => ({
      type: 'AuditEvent',
      id: `${position}`,
      version: null,
      patientId,
    })),
    searchedPatientIds: parsed.right.query.patientIds === undefined ? [] : (query.patientIds ?? []),
  });
  return E.right(
    renderBundle({ type: 'searchset', total: null, link: auditLinks(parsedSearch, next, options) }, [
      ...entries.map((entry) => renderSearchEntry(JSON.stringify(toEvent(entry)), undefined)),
      ...renderIgnored(parsedSearch.ignored),
    ]),
  );
};

/** Yields all events, each as a line, in the order of their entries. */
async function* exportLines(store: AuditStore, toEvent: EventWriter): AsyncGenerator<string, void> {
  let after = 0;
  for (;;) {
    const page = await orThrow(store.scan({ after, limit: pageSize }));
    const last = page.at(-1);
    if (last === undefined) return;
    if (last.position <= after) throw new ClinicalRecordsError(storeFailure('damaged-store', null));
    for (const entry of page) yield `${JSON.stringify(toEvent(entry))}\n`;
    after = last.position;
  }
}

/**
 * Creates an audit log on its store. Throws a TypeError for any other store or option. Source: docs/audit.md.
 *
 * @example
 * const audit = createAuditLog({ store: openSqliteAuditStore({ store }) });
 * const records = createClinicalRecords({ store, extensionBase, careTeamRoles, onAccess: audit.onAccess });
 */
export const createAuditLog = (options: AuditLogOptions): AuditLog => {
  checkOptionNames('createAuditLog', options, { store: true, site: true });
  const { store, site = 'urn:clinical-records' } = options;
  // Plain JavaScript may pass the store of the records. Each access would then fail.
  if (typeof store?.append !== 'function') {
    throw new TypeError('store must be that of an audit log, such as openSqliteAuditStore() returns it.');
  }
  const append = createAppendQueue(store);
  const toEvent: EventWriter = (entry) => deriveAuditEvent(entry, site);

  const countUnknown = createUnknownSenders();
  const onAccess = async (event: AccessEvent): Promise<void> => {
    const events = isOfUnknownSender(event) ? countUnknown(event) : [event];
    if (events.length > 0) await append(events.flatMap(auditEntriesOf));
  };

  return openService<AuditLog>(
    {
      onAccess: async (event) => E.right(await onAccess(event)),
      search: async (query) =>
        pipe(
          await findPage(store, query),
          E.map(({ entries, next }) => ({ events: entries.map(toEvent), next })),
        ),
      searchBundle: (parameters, options = {}) => searchBundle({ store, toEvent }, parameters, options),
      parameters: describeAuditSearch,
      export: () => exportLines(store, toEvent),
      expire: (expiry) => expireAudit(store, append, expiry),
      verify: ({ head } = {}) => verifyAudit(store, head),
    },
    auditFunctions,
    { path: 'audit.' },
  );
};
