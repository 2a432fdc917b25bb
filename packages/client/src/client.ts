import { type Commands, createCommands } from './commands.ts';
import { type Corrections, createCorrections } from './corrections.ts';
import type { OutcomeIssue } from './errors.ts';
import { inLargePages, parametersOf, readAll, readPage, readPages } from './pages.ts';
import { type CallOptions, type ClientOptions, createSend, readAt } from './send.ts';
import type { ClinicalTypes, Page, PartOf, Read, SearchOf, Types, TypesWith } from './types.ts';
import { type OnChange, type WatchOptions, watchChart } from './watch.ts';
import {
  type KeyOptions,
  pathOf,
  type ReadResource,
  update,
  validate,
  type WriteOptions,
  write,
} from './writes.ts';

/** The options of a search. */
export type SearchOptions = CallOptions & {
  /** Whether the parameters are sent in a form, so that no URL and no log has them. Default: false. */
  readonly isForm?: boolean;
};

/**
 * A client of clinical-records. Each function rejects with a `RequestError` if the server refuses the request, with a
 * `ConnectionError` if it does not respond, and with the reason of the signal. Reads, and writes that have one effect however often
 * they are sent, are sent again until the deadline.
 */
export type Client<All extends Types = ClinicalTypes> = {
  /** The current version of a resource. */
  readonly read: <Type extends keyof All & string>(
    type: Type,
    id: string,
    options?: CallOptions,
  ) => Promise<Read<All[Type]>>;
  /** A version of a resource, the current or an earlier one. */
  readonly readVersion: <Type extends keyof All & string>(
    type: Type,
    id: string,
    version: string | number,
    options?: CallOptions,
  ) => Promise<Read<All[Type]>>;
  /** The resources that a search finds, page after page. */
  readonly search: <Type extends TypesWith<All, 'search'>>(
    type: Type,
    parameters: SearchOf<All[Type]>,
    options?: SearchOptions,
  ) => AsyncGenerator<Read<All[Type]>, void>;
  /** The pages of a search, with what it includes. */
  readonly searchPages: <Type extends TypesWith<All, 'search'>>(
    type: Type,
    parameters: SearchOf<All[Type]>,
    options?: SearchOptions,
  ) => AsyncGenerator<Page<Read<All[Type]>>, void>;
  /** One page of a search. */
  readonly searchPage: <Type extends TypesWith<All, 'search'>>(
    type: Type,
    parameters: SearchOf<All[Type]>,
    options?: SearchOptions,
  ) => Promise<Page<Read<All[Type]>>>;
  /** The versions of a resource, the newest first. */
  readonly history: <Type extends keyof All & string>(
    type: Type,
    id: string,
    options?: CallOptions,
  ) => AsyncGenerator<Read<All[Type]>, void>;
  /** A patient, the whole chart, and the resources to which these refer. `_since` is a FHIR dateTime. */
  readonly everything: (
    patientId: string,
    parameters?: { readonly _type?: string; readonly _since?: string },
    options?: CallOptions,
  ) => AsyncGenerator<Read<All[keyof All & string]>, void>;
  /** Creates a resource, once, however often it is sent. */
  readonly create: <Type extends TypesWith<All, 'create'>>(
    type: Type,
    body: PartOf<All[Type], 'create'>,
    options?: KeyOptions,
  ) => Promise<Read<All[Type]>>;
  /** Replaces a resource that was read, unless somebody has changed it since. */
  readonly update: <Type extends TypesWith<All, 'update'>>(
    read: Read<All[Type]> & { readonly resourceType: Type },
    body: PartOf<All[Type], 'update'>,
    options?: WriteOptions,
  ) => Promise<Read<All[Type]>>;
  /** The issues that the server would have with `create`, and its warnings. Nothing is written. */
  readonly validateCreate: <Type extends TypesWith<All, 'create'>>(
    type: Type,
    body: PartOf<All[Type], 'create'>,
    options?: CallOptions,
  ) => Promise<readonly OutcomeIssue[]>;
  /** The same of `update`. */
  readonly validateUpdate: <Type extends TypesWith<All, 'update'>>(
    read: Read<All[Type]> & { readonly resourceType: Type },
    body: PartOf<All[Type], 'update'>,
    options?: CallOptions,
  ) => Promise<readonly OutcomeIssue[]>;
  readonly commands: Commands;
  readonly corrections: Corrections;
  /** Reports the changes in a chart until the signal comes. */
  readonly watch: (patientId: string, onChange: OnChange, options?: WatchOptions) => Promise<void>;
};

/**
 * Creates a client, for browsers, Node, Deno, Bun and Workers. `author` is the reference to the user or device of the token, such as
 * `Practitioner/12`: with it, an update whose response was lost is only taken for one's own if it has this author.
 *
 * @example
 * const client = createClient({ baseUrl: 'https://clinic.example/fhir', getToken: () => token });
 * for await (const goal of client.search('Goal', { patient: '7' })) console.log(goal.description.text);
 */
export const createClient = <All extends Types = ClinicalTypes>({
  author,
  ...options
}: ClientOptions & { readonly author?: string }): Client<All> => {
  const send = createSend(options);
  const client = {
    read: (type: string, id: string, more?: CallOptions) => readAt(send, pathOf(type, id), more),
    readVersion: (type: string, id: string, version: string | number, more?: CallOptions) =>
      readAt(send, `${pathOf(type, id)}/_history/${version}`, more),
    search: (type: string, parameters: object, more: SearchOptions = {}) =>
      readAll(send, { path: type, parameters: inLargePages(parameters), ...more }),
    searchPages: (type: string, parameters: object, more: SearchOptions = {}) =>
      readPages(send, { path: type, parameters: inLargePages(parameters), ...more }),
    searchPage: (type: string, parameters: object, more: SearchOptions = {}) =>
      readPage(send, { path: type, parameters: parametersOf(parameters), ...more }),
    history: (type: string, id: string, { signal }: CallOptions = {}) =>
      readAll(send, {
        path: `${pathOf(type, id)}/_history`,
        parameters: inLargePages({}),
        signal,
      }),
    everything: (patientId: string, parameters: object = {}, { signal }: CallOptions = {}) =>
      readAll(send, {
        path: `${pathOf('Patient', patientId)}/$everything`,
        parameters: parametersOf(parameters),
        signal,
      }),
    create: (type: string, body: object, more: KeyOptions = {}) =>
      write(send, { method: 'POST', path: type, body }, more),
    update: (read: ReadResource, body: object, more: WriteOptions = {}) =>
      update(send, read, body, { ...more, author }),
    validateCreate: (type: string, body: object, more?: CallOptions) =>
      validate(send, { path: type, body }, more),
    validateUpdate: ({ resourceType, id = '' }: ReadResource, body: object, more?: CallOptions) =>
      validate(send, { path: pathOf(resourceType, id), body }, more),
    commands: createCommands(send),
    corrections: createCorrections(send),
    watch: (patientId: string, onChange: OnChange, more: WatchOptions = {}) =>
      watchChart(send, patientId, { ...more, onChange }),
  };
  // The types of a response are those of the server: a test compares them with what it describes.
  return client as unknown as Client<All>;
};
