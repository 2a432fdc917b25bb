import type { ReportAccess } from '../access/access.ts';
import type { CareTeams } from '../care-team/care-teams.ts';
import type { ChangeFeed } from '../changes/change-feed.ts';
import type { Chart, CommandEntry } from '../chart/chart.ts';
import type { Copy, CopyOptions } from '../copy/copy-to.ts';
import type { Corrections } from '../corrections/corrections.ts';
import type { BodySchemas, StandardSchema } from '../description/body-schemas.ts';
import type { InterfaceDescription, ResourceDescription } from '../description/description.ts';
import type { Directory } from '../directory/directory.ts';
import type { Exporter } from '../exporter/exporter.ts';
import type { Goal, GoalCommand } from '../goal/model.ts';
import type { GoalSearch } from '../goal/record.ts';
import type { HostType, ResourcesOf, ServicesOf } from '../host-type/model.ts';
import type { Immunizations } from '../immunization/immunization.ts';
import type { ImmunizationCommand } from '../immunization/model.ts';
import type { ResourcesWith } from '../options.ts';
import type { Provenances } from '../provenance/provenances.ts';
import type { ReadableResources } from '../records/resource-reads.ts';
import type { ReindexOptions, ReindexResult } from '../reindex/reindex.ts';
import type { Services } from '../resources.ts';
import type { SearchPairs } from '../search/search-input.ts';
import type { OrderCommand, ServiceRequest } from '../service-request/model.ts';
import type { ServiceRequestSearch } from '../service-request/record.ts';
import type { ClinicalStore, HostWrite } from '../store/port.ts';
import type { Transaction } from '../store/transaction.ts';
import type { FeedPosition } from '../store/versions.ts';
import type { Verification, VerifyOptions } from '../verify/verify.ts';
import type { ClinicalError, Importer, Issue } from './public-errors.ts';

/** A command of any kind, as a host passes it to the chart. */
export type ChartCommandInput = OrderCommand | GoalCommand | ImmunizationCommand;

/** The kinds of command. @useDeclaredType */
export type ChartCommandKind = ChartCommandInput['kind'];

/** A command in a patient's chart. */
export interface ChartCommand extends CommandEntry<ChartCommandInput> {}

/** A type of resource that the records have, for a program that treats all types alike, such as a server. */
export type ServedResource = {
  readonly type: string;
  /** The name of its service in the records, such as `goals`. */
  readonly name: string;
  /** Whether each patient has one, under the id of the patient. */
  readonly isOnePerPatient: boolean;
  /** The issues of the searches of a limit, as `matching` has them; empty if its resources can be so limited. */
  readonly matchingIssues: (matching: readonly SearchPairs[]) => readonly Issue[];
  /** Whether it is only imported: neither commands nor the bodies of requests write it. */
  readonly isOnlyImported: boolean;
  /** Whether rules of the host judge its changes. */
  readonly hasRules: boolean;
  /** The writes of its `asJson` that take the bodies of requests, and the errors that each adds to those of every request. */
  readonly writes: {
    /** The errors of `create`; absent if there is no such write. */
    readonly create?: readonly ClinicalError['_tag'][];
    /** The errors of `update`; absent if there is no such write. */
    readonly update?: readonly ClinicalError['_tag'][];
    /** The errors of `setParticipantStatus`; absent if there is no such write. */
    readonly setParticipantStatus?: readonly ClinicalError['_tag'][];
  };
};

/** How a server reports its requests. */
export type RecordsAccess = {
  /** Reports an access to `onAccess`, and returns the error that is the answer if that fails. */
  readonly report: ReportAccess;
  /** The same records. Their calls are not reported. */
  readonly unreported: ClinicalRecords;
};

/**
 * The charts of a clinic's patients, and the directory that they refer to. `Connection` is what `tx.write` gets: that of
 * the store's database.
 */
export interface ClinicalRecords<Connection = unknown> {
  /** Orders: imaging, laboratory work and referrals. They are read here and made in the `chart`. */
  readonly serviceRequests: ReadableResources<ServiceRequest, ServiceRequestSearch>;
  /** Goals of patients. They are read here and made in the `chart`. */
  readonly goals: ReadableResources<Goal, GoalSearch>;
  /** Care teams: one for each patient. */
  readonly careTeams: CareTeams;
  /** Immunizations. Those administered elsewhere can be created here, and all of them in the `chart`. */
  readonly immunizations: Immunizations;
  /** The types of these four services, in their order. */
  readonly resources: readonly ServedResource[];
  /** The author and the time of each version of these resources, as FHIR's Provenance. */
  readonly provenance: Provenances;
  /** The commands of the charts, for the screens of the host. */
  readonly chart: Chart<ChartCommandInput>;
  /** The patients, practitioners, organizations, encounters and notes of the host. */
  readonly directory: Directory;
  /** Corrections of charts by a person with the right to make them. */
  readonly corrections: Corrections;
  /** Imports resources of another system. */
  readonly importer: Importer;
  /** Exports the current resources, as the importer imports them. */
  readonly exporter: Exporter;
  /** Every committed version, in the order of the commits. */
  readonly changes: ChangeFeed;
  /** The position of the last version that is committed now, to list only later `changes`. Errors: `StoreFailure`. */
  readonly feedEnd: () => Promise<FeedPosition>;
  /**
   * Describes resources, request bodies and search parameters as JSON Schemas. Builds the description again at each
   * call.
   */
  readonly describe: () => InterfaceDescription;
  /**
   * The schemas of the bodies of requests, for the forms and routes of a host that validate before they send. They check what
   * a body has by itself; a write also checks the rules that look at the chart and at the configured roles.
   *
   * @example
   * const { issues } = records.bodies.Immunization.create['~standard'].validate(form);
   */
  readonly bodies: BodySchemas;
  /**
   * The types of which the store has resources, and which these records do not define: another version of your program has written
   * them. A chart that has some is not merged, and not copied, until they are among your `types`, or `retired`.
   * Errors: `StoreFailure`. Source: docs/your-types.md#a-type-that-is-taken-out.
   */
  readonly undefinedTypes: () => Promise<readonly string[]>;
  /**
   * Looks for damage, and for changes that were made without the library, while others read and write. It walks through
   * all versions in the order of their commits. It derives each current record from its state again, follows its
   * references, and counts totals. The options must be those under which the records were written. Errors:
   * `StoreFailure`.
   */
  readonly verify: (options?: VerifyOptions) => Promise<Verification>;
  /**
   * Copies every version into another store, in the order of the commits, so that history and feed are the same there.
   * It holds some hundred versions at a time, while others may read and write. The target must be empty, or have
   * what an earlier copy wrote: then it continues there. Both stores must count positions from 1, as those of this
   * library do. Errors: `StoreFailure`, and `InvalidRequest` (`damaged-records`, `other-records`).
   */
  readonly copyTo: (target: ClinicalStore, options?: CopyOptions) => Promise<Copy>;
  /**
   * Gives all records the index entries of this version of the library. Until then, a search by a parameter by which they
   * were not indexed, or in another way, is a `StoreFailure` (`outdated-index`). It makes no new versions, others may read and write
   * meanwhile, and an interrupted one is continued by the next. It returns at once if there is nothing to do. Stop processes
   * of an older version first: they write the index entries of that version. Errors: `StoreFailure`.
   *
   * @example
   * await records.reindex({ onProgress: ({ records }) => console.log(records) });
   */
  readonly reindex: (options?: ReindexOptions) => Promise<ReindexResult>;
  /**
   * Writes several things at once, with statements of the host: all of it or nothing. The callback decides while nothing is
   * open. Once it has resolved, one transaction of the database checks that all records that it has read by id are
   * unchanged, writes each of its calls as a version of its own, runs the statements of `tx.write`, and commits. On SQLite
   * that takes one turn, so no statement of another request gets into it. Returns the result of the callback.
   *
   * If such a record has changed, nothing is written, and the callback runs again, also if it rejects: at most five times in
   * all. So it should do nothing that cannot be repeated: that belongs in `tx.write`, whose statements of an abandoned run are
   * dropped. Otherwise, if the callback or a statement rejects or throws, nothing is written, and the call rejects with the same
   * reason. It also rejects if a call on `tx` was not awaited. A write that the callback makes on the records themselves, without
   * `tx`, is a `Misuse`, if the store has a `callContext`. Its calls are not reported to `onAccess`. Errors: `StoreFailure`,
   * `Misuse`.
   *
   * @example
   * await records.transaction(async (tx) => {
   *   const dose = await tx.immunizations.create(body, { by });
   *   tx.write(() => insertVisit.run(dose.id));
   * });
   */
  readonly transaction: <A>(work: (tx: TransactionRecords<Connection>) => PromiseLike<A>) => Promise<A>;
  /**
   * Runs a callback as `transaction` does, and writes nothing: neither its calls nor the statements of `tx.write`, nor an entry that
   * `resolve` returns. It rejects as the calls would, and their `onWarnings` gets what it would get, so a form can show both before its
   * user saves. New ids are not those of `newId`. Errors: `StoreFailure`, `Misuse`, and those of the calls.
   *
   * @example
   * await records.dryRun((tx) => tx.immunizations.create(body, { by }));
   */
  readonly dryRun: <A>(work: (tx: TransactionRecords<Connection>) => PromiseLike<A>) => Promise<A>;
  /**
   * The same records as a part of the host's transaction: their writes are committed or rolled back with it. Throws if
   * the transaction is not on the store's database. Its calls are not reported to `onAccess`, whose log may have to wait for
   * the end of the transaction.
   */
  readonly in: (transaction: Transaction) => ClinicalRecords;
  /** For a server that reports its requests itself, as the HTTP adapter does; null without `onAccess`. */
  readonly access: RecordsAccess | null;
}

/** The records of a host with types of its own, which have the service of each. */
export type RecordsWith<Connection, Types extends readonly HostType[]> = Types extends readonly []
  ? ClinicalRecords<Connection>
  : Omit<ClinicalRecords<Connection>, keyof PartsWith<Connection, Types>> &
      ServicesOf<Types> &
      PartsWith<Connection, Types>;

/** The work of a transaction of the records of a host with types of its own. */
type WorkWith<Connection, Types extends readonly HostType[], A> = (
  tx: Omit<TransactionRecords<Connection>, 'provenance'> &
    Pick<PartsOf<keyof ResourcesWith<Types> & string, ResourcesWith<Types>>, 'provenance'> &
    ServicesOf<Types>,
) => PromiseLike<A>;

/** The parts that name the types of resources. */
type PartsOf<Type extends string, Resources> = {
  /** The author and the time of each version of these resources, as FHIR's Provenance. */
  readonly provenance: Provenances<Type>;
  /** Corrections of charts by a person with the right to make them. */
  readonly corrections: Corrections<Exclude<Type, 'CareTeam'>>;
  /** Exports the current resources, as the importer imports them. */
  readonly exporter: Exporter<Type>;
  /** Every committed version, in the order of the commits. */
  readonly changes: ChangeFeed<Resources>;
};

// biome-ignore lint/suspicious/noExplicitAny: they have the types of one host, whichever these are.
type AnyType = any;

/** Records with the types of any host, for a function that takes those of each, such as `createHttpHandler`. */
export type AnyClinicalRecords = Omit<
  ClinicalRecords,
  keyof PartsOf<string, object> | 'transaction' | 'dryRun' | 'in' | 'access'
> &
  PartsOf<AnyType, AnyType> & {
    /** Writes several things at once. */
    readonly transaction: <A>(work: (tx: AnyType) => PromiseLike<A>) => Promise<A>;
    /** Runs a callback as `transaction` does, and writes nothing. */
    readonly dryRun: <A>(work: (tx: AnyType) => PromiseLike<A>) => Promise<A>;
    /** The same records as a part of the host's transaction. */
    readonly in: (transaction: Transaction) => AnyClinicalRecords;
    /** For a server that reports its requests itself; null without `onAccess`. */
    readonly access: {
      readonly report: ReportAccess;
      readonly unreported: AnyClinicalRecords;
    } | null;
  };

/** The schemas of the bodies that a service takes. */
type BodiesOf<Service> = (Service extends { readonly create: (body: infer Body, options?: never) => unknown }
  ? { readonly create: StandardSchema<Body> }
  : unknown) &
  (Service extends { readonly update: (id: string, body: infer Body, options?: never) => unknown }
    ? { readonly update: StandardSchema<Body> }
    : unknown);

/** The schemas of the bodies of the host's types. */
type HostBodySchemas<Types extends readonly HostType[]> = {
  readonly [Each in Types[number] as Each['type']]: BodiesOf<NonNullable<Each['types']>['service']>;
};

/** A description that has the host's types, too. */
type DescriptionWith<Types extends readonly HostType[]> = InterfaceDescription & {
  readonly resources: Readonly<Record<keyof ResourcesOf<Types>, ResourceDescription>>;
};

/** The parts that name the types of the host, too, or hand out its records. */
type PartsWith<Connection, Types extends readonly HostType[]> = PartsOf<
  keyof ResourcesWith<Types> & string,
  ResourcesWith<Types>
> & {
  /** The schemas of the bodies of requests: see `ClinicalRecords`. */
  readonly bodies: BodySchemas & HostBodySchemas<Types>;
  /** Describes resources, request bodies and search parameters as JSON Schemas: see `ClinicalRecords`. */
  readonly describe: () => DescriptionWith<Types>;
  /** Writes several things at once: see `ClinicalRecords`. */
  readonly transaction: <A>(work: WorkWith<Connection, Types, A>) => Promise<A>;
  /** Runs a callback as `transaction` does, and writes nothing: see `ClinicalRecords`. */
  readonly dryRun: <A>(work: WorkWith<Connection, Types, A>) => Promise<A>;
  /** The same records as a part of the host's transaction: see `ClinicalRecords`. */
  readonly in: (transaction: Transaction) => RecordsWith<unknown, Types>;
};

/**
 * The records within `records.transaction`. Reads by id, histories and searches show what was written on it before. A search
 * that may find such a record reads at most a thousand matches.
 */
export interface TransactionRecords<Connection = unknown>
  extends Pick<ClinicalRecords, keyof Services | 'resources' | 'provenance' | 'chart' | 'directory'> {
  /**
   * Adds statements of the host, which run in the transaction of the database after the callback has resolved, in their
   * order. On SQLite the connection is the handle of the store, and they must be synchronous. On PostgreSQL it is the client of
   * the transaction, and a promise is awaited. A store in memory refuses them.
   */
  readonly write: (write: HostWrite<Connection>) => void;
}
