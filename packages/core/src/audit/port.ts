import type { AccessEvent, ReturnedResource } from '../access/access.ts';
import type { StoreOutcome } from '../store/port.ts';
import { formatAuditHead } from './verify-audit.ts';

/** One entry of an audit log: an access, as far as it concerns one patient. An access without a patient is one entry, too. */
export type AuditEntry = {
  /** When the answer was ready, in milliseconds since 1970 in UTC. */
  readonly at: number;
  /** A reference to the user; null if the user is not known. */
  readonly by: string | null;
  /** The patient who was seen, or whose chart was asked for; null if there is none. */
  readonly patientId: string | null;
  /** The rest of the access as JSON text. */
  readonly access: string;
};

/** An entry with its place in the log and in the chain of digests. */
export type StoredAuditEntry = AuditEntry & {
  /** The place in the log, from 1, without gaps. */
  readonly position: number;
  /** The result of `computeAuditDigest` for the entry and the digest before it. */
  readonly digest: string;
};

/** The last entry of a log, or of its beginning that was removed, as far as the next entry depends on it. */
export type AuditHead = Pick<StoredAuditEntry, 'position' | 'digest'>;

/** A page of a log, newest entry first. All conditions that are given must hold. */
export type AuditQuery = {
  /** Any of these patients. */
  readonly patientIds?: readonly string[] | undefined;
  /** Any of these users. */
  readonly users?: readonly string[] | undefined;
  /** The earliest time, in milliseconds since 1970. */
  readonly from?: number | undefined;
  /** The time before which the entries are. */
  readonly until?: number | undefined;
  /** The position before which the entries are. */
  readonly before?: number | undefined;
  /** The most entries of the page. */
  readonly count: number;
};

/**
 * Keeps the entries of an audit log, and never changes one. Only the oldest are ever removed. No function throws or rejects: every error is a
 * `StoreError`.
 */
export type AuditStore = {
  /**
   * Appends all of the entries in their order, or none. Once it returns, they are durable. Each gets the next position, and a
   * digest of itself and of the entry before it. Several processes may append to one log.
   */
  readonly append: (entries: readonly AuditEntry[]) => StoreOutcome<void>;
  /** A page of the entries that match, newest first. */
  readonly search: (query: AuditQuery) => StoreOutcome<readonly StoredAuditEntry[]>;
  /** At most `limit` entries after a position, oldest first. */
  readonly scan: (range: {
    /** 0, or anything below, for the first entry. */
    readonly after: number;
    /** The most entries. */
    readonly limit: number;
  }) => StoreOutcome<readonly StoredAuditEntry[]>;
  /** The last entry that was removed. The position is 0, and the digest empty, if none was. */
  readonly start: () => StoreOutcome<AuditHead>;
  /**
   * Removes the oldest entries up to a position. The one there becomes the start. Without an entry there, nothing is removed:
   * `UnknownPosition`. Later entries keep their positions and digests.
   */
  readonly removeUntil: (position: number) => StoreOutcome<void>;
  /**
   * Releases what the store itself opened. Afterwards every function is `Closed`. Rejects with a `ClinicalRecordsError`
   * if something cannot be released.
   */
  readonly close: () => Promise<void>;
};

/** The part of an access that is stored as JSON text. */
export type AuditedAccess = Omit<AccessEvent, 'at' | 'by' | 'patientIds' | 'resources'> & {
  /** The versions that the answer contains of the chart of the patient, and of none. */
  readonly resources: readonly Omit<ReturnedResource, 'patientId'>[];
  /** The number of requests, if it was not one. */
  readonly requests?: number;
  /** The last of the events that this access removed from the log, as `formatAuditHead` returns it. */
  readonly expired?: string;
};

/** The most characters of a query. A longer one ends with an ellipsis. */
const maxQuery = 2000;

const shorten = (query: string): string =>
  query.length > maxQuery ? `${query.slice(0, maxQuery - 1)}…` : query;

/** A host may name a user by any text. PostgreSQL stores no U+0000, and no text stores half of a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, '');

/** The entry of an access that removes the events up to one of them. */
export const expiryEntryOf = (
  last: AuditHead,
  { at, by }: Pick<AuditEntry, 'at'> & { readonly by: string },
): AuditEntry => {
  const access: AuditedAccess = {
    client: null,
    address: null,
    interaction: 'operation',
    resourceType: 'AuditEvent',
    id: null,
    query: '',
    resources: [],
    outcome: 'success',
    rules: [],
    status: null,
    requestId: null,
    expired: formatAuditHead(last),
  };
  return { at, by: storable(by), patientId: null, access: JSON.stringify(access) };
};

/**
 * The entries of an access: one for each patient who was seen or asked for, with the resources of that patient. Resources that belong to
 * no patient are in the first. Source: IHE BALP, PatientQuery: "one AuditEvent is created for every Patient".
 */
export const auditEntriesOf = (event: AccessEvent): readonly AuditEntry[] => {
  const { at, by, patientIds, resources, ...rest } = event;
  const seen: readonly (string | null)[] = patientIds.length === 0 ? [null] : patientIds;
  const byPatient = Map.groupBy(resources, ({ patientId }) => patientId ?? seen[0] ?? null);
  return seen.map((patientId) => {
    const access: AuditedAccess = {
      ...rest,
      query: shorten(rest.query),
      resources: (byPatient.get(patientId) ?? []).map(({ type, id, version }) => ({ type, id, version })),
    };
    return { at, by: by === null ? null : storable(by), patientId, access: JSON.stringify(access) };
  });
};
