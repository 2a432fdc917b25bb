import type * as z from 'zod';
import type { CreateOptions, UpdateOptions } from '../chart/body-writes.ts';
import type { CommonElements, ResourceLabels, ResourceMeta } from '../fhir/common-elements.ts';
import type { Identifier } from '../fhir/identifier.ts';
import type { JsonObject, SchemaOutput } from '../fhir/schema.ts';
import type { OtherVersion } from '../importer/other-formats.ts';
import type { JsonReads } from '../records/json-reads.ts';
import type { ResourceVersion } from '../records/page.ts';
import type { ResourceReads } from '../records/resource-reads.ts';
import type { commonParameters, ElementPath, IndexedParameter } from '../search/index-entries.ts';
import type { SearchParameter } from '../search/parameters.ts';
import type { StoredSearchInput } from '../search/search-input.ts';

/** The elements of a type, each with its schema. */
export type Shape = Readonly<Record<string, z.ZodType>>;

/** A resource of a host's type, as it is read. */
export type HostResource<Type extends string, Elements extends Shape> = {
  readonly resourceType: Type;
  readonly id: string;
  /** The version and the labels. */
  readonly meta?: ResourceMeta;
  /** The numbers by which other systems know it. */
  readonly identifier?: readonly Identifier[] | undefined;
} & SchemaOutput<z.ZodObject<Elements>>;

/** The writes of a type by the bodies of requests. */
export type HostWrite = 'create' | 'update';

/** The search parameters of a type by their names, each with the place of its values. */
export type HostSearch<Resource> = Readonly<Record<string, IndexedParameter<Resource>>>;

/** The description of a type of the host's own. Nothing in it can be forgotten: what there is not is an empty list. */
export type HostTypeSpec<
  Type extends string,
  Name extends string,
  Elements extends Shape,
  Search extends HostSearch<HostResource<Type, Elements>>,
  Write extends HostWrite,
  Resource = HostResource<Type, Elements>,
> = {
  /** The type in FHIR R4, such as `AllergyIntolerance`. */
  readonly type: Type;
  /** The name of its service in the records, such as `allergies`. */
  readonly name: Name;
  /** The element that refers to the patient. */
  readonly patient: 'patient' | 'subject';
  /** The URL of its profile. */
  readonly profile: string;
  /** The elements that are stored, beside the id, `meta` and the identifiers, which every type has. */
  readonly elements: Elements;
  /** The other elements that FHIR has for it. A body may have them: they are dropped, or refused under strict handling. */
  readonly unstored?: readonly string[];
  /** The choices among its elements, such as `onset[x]`: of `onsetDateTime`, `onsetAge` and so on, a resource has one at most. */
  readonly choices: readonly `${string}[x]`[];
  /**
   * The elements that are the same in two resources of a patient if these are one and share an identifier: a concept such as `code`, and
   * a date if that matters. An import does not add the second. Null if only an id makes them one.
   */
  readonly identity: {
    readonly concept: ElementPath<Resource>;
    readonly date?: ElementPath<Resource>;
  } | null;
  /** Whether a resource conforms to the profile. Default: each does. */
  readonly conforms?: (resource: Resource) => boolean;
  /** Its search parameters, beside those that every type has. */
  readonly search: Search;
  /** The elements that `_include` follows, by the names of their search parameters. The patient is one of them. */
  readonly references: Readonly<Record<string, ElementPath<Resource>>>;
  /** The elements in which another system names practitioners and organizations. They are named by their ids once imported. */
  readonly people: readonly (keyof Elements & string)[];
  /** The elements that FHIR or the profile demands. `[x]` at the end stands for the type of a choice. */
  readonly mandatory: readonly string[];
  /** The other elements of FHIR's summary. */
  readonly summary: readonly string[];
  /** The place of the code that is `entered-in-error` if the resource is. Such a resource does not change any more. */
  readonly inError: ElementPath<Resource>;
  /** Whether a change only ends or withdraws something, which your rules refuse only if they may. */
  readonly isEnd: (before: Resource | null, after: Resource) => boolean;
  /** The signs that a resource is of another version of FHIR than R4. */
  readonly otherVersions: readonly OtherVersion[];
  /** The writes by the bodies of requests; none if it is only imported. */
  readonly writes: readonly Write[];
  /** Begins the ids of its Provenances: up to 22 letters. Default: the type, which must not be longer. */
  readonly initial?: string;
};

/** A resource of any such type. */
export type AnyHostResource = JsonObject & {
  readonly resourceType: string;
  readonly id: string;
  readonly meta?: CommonElements;
};

/** The description of any type. */
// biome-ignore lint/suspicious/noExplicitAny: code for all types does not know the resource of each.
export type AnyHostTypeSpec = HostTypeSpec<string, string, Shape, any, HostWrite, any>;

/** The body of a write, as a program sends it. */
type BodyOf<Resource> = Omit<Resource, 'resourceType' | 'id' | 'meta'> & {
  readonly resourceType?: Resource extends { readonly resourceType: infer Type } ? Type : never;
  readonly meta?: ResourceLabels;
};

/** The search parameters of a type, as a program sends them. */
export type HostSearchInput<Search> = StoredSearchInput<
  {
    readonly [Name in keyof Search]: Search[Name] extends SearchParameter ? Search[Name] : never;
  } & {
    readonly _id: { readonly kind: 'id' };
    readonly _lastUpdated: { readonly kind: 'lastUpdated' };
    readonly patient: { readonly kind: 'patient' };
  } & ReturnType<typeof commonParameters>
>;

/** The writes of a type: each takes a body, and returns an `A`. */
type HostWrites<A, ForCreate = unknown, ForUpdate = unknown> = {
  /**
   * Creates a resource. With an `idempotencyKey`, it is created once, however often it is sent. With `ifNoneExist`, the result is the
   * one that the patient has with that identifier.
   * Errors: `InvalidRequest`, `NotSupported`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly create: (body: ForCreate, options?: CreateOptions) => Promise<A>;
  /**
   * Replaces the elements of a resource. Labels and identifiers that are left out stay. One that is entered in error, or of another
   * patient, is not replaced.
   * Errors: `InvalidRequest`, `NotFound`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (id: string, body: ForUpdate, options?: UpdateOptions) => Promise<A>;
};

/** The service of a host's type in the records: its reads, and the writes that it has. */
export type HostService<Resource, Search, Write extends HostWrite> = ResourceReads<Resource, Search> &
  Pick<HostWrites<Resource, BodyOf<Resource>, BodyOf<Resource> & { readonly id: string }>, Write> & {
    /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
    readonly asJson: JsonReads<Search> & Pick<HostWrites<ResourceVersion>, Write>;
  };

/** A type of resource of a host, as `defineResource` returns it, for `createClinicalRecords({ types })`. */
export type HostType<
  Type extends string = string,
  Name extends string = string,
  Resource = unknown,
  Service = unknown,
> = {
  readonly type: Type;
  readonly name: Name;
  /** Only for the compiler. */
  readonly types?: { readonly resource: Resource; readonly service: Service };
};

/** The service of each type, by its name in the records. */
export type ServicesOf<Types extends readonly HostType[]> = {
  readonly [Each in Types[number] as Each['name']]: NonNullable<Each['types']>['service'];
};

/** The resource of each type, by the type. */
export type ResourcesOf<Types extends readonly HostType[]> = {
  readonly [Each in Types[number] as Each['type']]: NonNullable<Each['types']>['resource'];
};
