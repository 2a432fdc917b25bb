import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { reportReturned } from '../access/access.ts';
import { type ReadOptions, readForms } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome } from '../errors.ts';
import {
  type Bundle,
  type BundleUrls,
  fullUrlOf,
  linkTo,
  renderBundle,
  renderIgnored,
  renderSearchEntry,
} from '../fhir/bundle.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { id } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { type ResourceVersion, returnedVersion } from '../records/page.ts';
import { limitOf } from '../records/reach.ts';
import { parseMatches, parseResource } from '../records/resource-reads.ts';
import { createPageLinks, unknownCursorIssue } from '../search/paging.ts';
import { type ParsedSearch, parseSearch } from '../search/parse-search.ts';
import { type SearchPairs, searchParameters } from '../search/search-input.ts';
import {
  createProvenanceParameters,
  type Provenance,
  type ProvenanceIds,
  type ProvenanceSearch,
} from './model.ts';
import {
  type FoundProvenance,
  findProvenances,
  type ProvenanceReader,
  requestedTargets,
  type TargetLimits,
} from './read.ts';

/** The reads of Provenances: a read returns an `A`, and a search a `Page`. */
export type ProvenanceReads<A, Page, Type extends string = ResourceType> = {
  /**
   * The Provenance of a version: its id is the initial of the type, the id and the version, such as `G-1-3` of
   * `Goal/1/_history/3`. Errors: `NotFound`, `Forbidden`, `StoreFailure`.
   */
  readonly read: (id: string, options?: ReadOptions) => Promise<A>;
  /**
   * A page of the Provenances of all versions of the resources that `target` or `_id` names, oldest first.
   * Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`.
   */
  readonly search: (parameters: ProvenanceSearch<Type> | SearchPairs, options?: ReadOptions) => Promise<Page>;
};

/** The author and the time of each version of a resource. A Provenance derives from the version, and is only read. */
export type Provenances<Type extends string = ResourceType> = ProvenanceReads<
  Provenance<Type>,
  Bundle<Provenance<Type>>,
  Type
> & {
  /** The same with JSON texts as results. */
  readonly asJson: ProvenanceReads<ResourceVersion, string, Type>;
};

/** The Provenances from the requested place on; null if a link names one that is not among them. */
const skipTo = (
  all: readonly FoundProvenance[],
  { cursor, offset }: ParsedSearch['paging'],
): readonly FoundProvenance[] | null => {
  if (cursor === null) return all.slice(offset);
  const index = all.findIndex(({ id }) => id === cursor.after);
  return index === -1 ? null : all.slice(index + 1);
};

const renderPage = (
  search: ParsedSearch,
  { found: all, render }: Pick<ProvenanceReader, 'render'> & { readonly found: readonly FoundProvenance[] },
  { onReturn, ...urls }: BundleUrls & Pick<ReadOptions, 'onReturn'>,
): E.Either<ClinicalError, string> => {
  const { paging } = search;
  const following = skipTo(all, paging);
  if (following === null) return E.left(invalidRequest(unknownCursorIssue));
  const page = following.slice(0, paging.count).map(render);
  onReturn?.({
    resources: page.flatMap(returnedVersion('Provenance')),
    // Even a page without a Provenance says how many there are.
    searchedPatientIds: all.flatMap(({ patientId }) => patientId ?? []),
  });
  const total = all.length;
  const last = page.length < following.length ? page.at(-1) : undefined;
  const path = linkTo(urls, 'Provenance');
  const next = last === undefined ? null : { after: last.id };
  return E.right(
    renderBundle(
      { type: 'searchset', total, link: createPageLinks(path, search, { total, shown: page.length, next }) },
      [
        ...page.map(({ id, json }) => renderSearchEntry(json, fullUrlOf(urls, 'Provenance', id))),
        ...renderIgnored(search.ignored),
      ],
    ),
  );
};

const type = 'Provenance';

const reads = {
  read: { kind: 'read', takes: [id], options: readForms, access: { interaction: 'read', type } },
  search: {
    kind: 'search',
    takes: [searchParameters],
    options: readForms,
    access: { interaction: 'search', type },
  },
} as const satisfies FunctionTable<ProvenanceReads<unknown, unknown, string>>;

export const provenanceFunctions: FunctionTable<Provenances<string>> = { ...reads, asJson: reads };

/**
 * The limits of Provenances: that of their caller, and the caller's limit for the resource that they are about. The versions are
 * read under the first of them, so that one asks about the resource, and the other one about the Provenances.
 */
const limitsOf = (options: ReadOptions, type: string): TargetLimits => {
  const target = limitOf(options)(type);
  return [
    { ...options, authorize: target?.authorize },
    target === null ? null : { ...target, authorize: options.authorize },
  ];
};

export const createProvenances = (
  { zone, now }: Environment,
  { ids, reader }: { readonly ids: ProvenanceIds; readonly reader: ProvenanceReader },
): EithersOf<Provenances<string>> => {
  const declared = createProvenanceParameters(ids.types);
  const read: EithersOf<Provenances<string>['asJson']>['read'] = async (id, options = {}) => {
    const target = ids.parse(id);
    if (target === null) return E.left(notFound('Provenance', id));
    const reaches = reader.open(target.type, limitsOf(options, target.type));
    if (E.isLeft(reaches)) return reaches;
    const readOne = async (): Outcome<ResourceVersion> => {
      const found = await reader.find(target, reaches.right);
      if (E.isLeft(found)) return found;
      const [provenance] = found.right;
      return provenance?.id === id ? E.right(reader.render(provenance)) : E.left(notFound('Provenance', id));
    };
    return reportReturned(options, readOne(), returnedVersion('Provenance'));
  };

  const search: EithersOf<Provenances<string>['asJson']>['search'] = async (parameters, options = {}) => {
    const { handling = 'strict' } = options;
    const time = { zone, now: now() };
    const parsed = parseSearch(parameters, { declared, handling, time, baseUrl: options.baseUrl });
    if (E.isLeft(parsed)) return parsed;
    const { conditions } = parsed.right;
    const targets = requestedTargets(conditions, ids);
    if (E.isLeft(targets)) return targets;
    // They count as they are at the call, and targets are read in several turns.
    const reaches = new Map(ids.types.map((type) => [type, reader.open(type, limitsOf(options, type))]));
    const found = await findProvenances(reader, {
      targets: targets.right,
      conditions,
      types: ids.types,
      reachesOf: (type) => reaches.get(type) as ReturnType<ProvenanceReader['open']>,
    });
    const { render } = reader;
    return E.isLeft(found) ? found : renderPage(parsed.right, { found: found.right, render }, options);
  };

  return {
    read: async (id, options) => pipe(await read(id, options), E.map(parseResource<Provenance<string>>)),
    search: async (parameters, options) =>
      pipe(await search(parameters, options), E.map(parseMatches<Provenance<string>>)),
    asJson: { read, search },
  };
};
