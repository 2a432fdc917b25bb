import type * as z from 'zod';
import type { CommandInput } from './chart/chart.ts';
import type { ChartSection } from './chart/chart-section.ts';
import type { DirectoryRecords } from './directory/directory-records.ts';
import type { Environment } from './environment.ts';
import type { ClinicalError } from './errors.ts';
import type { TextOf } from './host-rules/chart-reader.ts';
import type { ImportDefinition } from './importer/import-definition.ts';
import type { OtherVersion } from './importer/other-formats.ts';
import type { FunctionTable } from './open-service.ts';
import type { EithersOf } from './outcome.ts';
import type { RecordDefinition, ResourceFacts } from './records/definition.ts';
import type { IncludeTable } from './records/include.ts';
import type { StoredText } from './records/page.ts';
import type { VersionReader } from './records/past-versions.ts';
import type { RecordChange } from './store/port.ts';

/** A write that takes the body of a request: the schema of the body, and the errors that it adds to those of every request. */
export type RequestDefinition = {
  readonly body: (extensionBase: string) => z.ZodType;
  readonly errorTags: readonly ClinicalError['_tag'][];
};

/** The chart to which a correction moves a record, and the time. */
export type MoveTarget = {
  readonly patientId: string;
  readonly at: number;
  readonly newId: () => string;
};

/** A record in another chart, and the changes that are written with it there. */
export type MovedRecord = { readonly state: object; readonly sideChanges: readonly RecordChange[] };

/**
 * Everything that is special about one type of resource. Code that needs all types loops over their definitions, which
 * the records are created with.
 */
export type ResourceDefinition<Type extends string, Name extends string, Resource, Service> = ResourceFacts<
  Type,
  Resource
> & {
  /** The name of its service in the records. */
  readonly name: Name;
  /** Whether each patient has one, under the id of the patient. */
  readonly isOnePerPatient?: true;
  readonly schema: (extensionBase: string) => z.ZodType;
  /** The writes by the bodies of requests, such as those over HTTP. */
  readonly requests: {
    readonly create?: RequestDefinition;
    readonly update?: RequestDefinition;
    /** Gives a participant a status, among the commands. Its body is the same for all types. */
    readonly setParticipantStatus?: Pick<RequestDefinition, 'errorTags'>;
  };
  /** The elements that can have extensions of the host: single ones, of the same name in the resource, its bodies and its commands. */
  readonly fieldElements: readonly string[];
  /** Whether a change only ends or withdraws something, which the rules of a host refuse only if they may. */
  readonly isEnd: (before: Resource | null, after: Resource) => boolean;
  readonly defineRecord: (environment: Environment) => RecordDefinition<never>;
  readonly createService: (
    environment: Environment,
    context: { readonly directory: DirectoryRecords; readonly includes: () => IncludeTable },
  ) => EithersOf<Service>;
  /** The functions of its service. */
  readonly functions: FunctionTable<Service>;
  /** How a record is read, if not by its resource. */
  readonly createTextOf?: (environment: Environment) => TextOf;
  /** Reads the versions, if they are not those of the stored record with the id. */
  readonly createVersionReader?: (environment: Environment, directory: DirectoryRecords) => VersionReader;
  /** The commands in a chart from which it derives; null if there are none. */
  readonly createCommands: ((environment: Environment) => ChartSection<CommandInput>) | null;
  /** The commands from which it derives, as they are sent; left out if there are none. */
  readonly commandSchema?: z.ZodType;
  /** The elements in which another system names practitioners and organizations. They are named by their ids once imported. */
  readonly people: readonly (keyof Resource & string)[];
  /** The signs that a resource is of another version of FHIR than R4. */
  readonly otherVersions: readonly OtherVersion[];
  readonly defineImport: (environment: Environment) => ImportDefinition;
  /**
   * Moves a record to the chart of another patient, without what belongs to the chart that it leaves. Null for a type whose
   * resources belong to their patient by their ids: they are moved and erased only with the patient.
   */
  readonly move: ((state: never, target: MoveTarget) => MovedRecord) | null;
  /** How an export shows a stored resource, if not as it is stored. */
  readonly createPresenter?: (usCore: boolean) => (stored: StoredText) => string;
  /** Whether a resource says nothing, so that an export can leave it out. */
  readonly isEmpty?: (resource: Resource) => boolean;
};

/** The definition of any type. */
// biome-ignore lint/suspicious/noExplicitAny: a loop over the types does not know the resource of each.
export type AnyResource = ResourceDefinition<string, string, any, object>;

/** The definitions by their types, in the order in which they are listed. */
export type Resources = ReadonlyMap<string, AnyResource>;
