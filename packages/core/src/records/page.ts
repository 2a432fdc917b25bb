import * as E from 'fp-ts/lib/Either.js';
import {
  type AccessHooks,
  type AnswerContent,
  type ReturnedResource,
  returnedResourcesIn,
} from '../access/access.ts';
import type { WarningOptions, WithWarnings } from '../access/warnings.ts';
import type { Outcome } from '../errors.ts';
import {
  type Bundle,
  type BundleUrls,
  fullUrlOf,
  linkTo,
  renderBundle,
  renderIgnored,
  renderSearchEntry,
} from '../fhir/bundle.ts';
import { attachFields, type CommonElements, type ResourceLabels } from '../fhir/common-elements.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { readJson } from '../fhir/read-json.ts';
import { renderJson } from '../fhir/schema.ts';
import { elementsAt } from '../search/index-entries.ts';
import { createPageLinks } from '../search/paging.ts';
import type { ParsedSearch, ResultParameters } from '../search/parse-search.ts';
import type { StoredRecord, StoredResource } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import type { ResourceFacts, SearchFacts } from './definition.ts';
import type { FoundMatch, FoundPage } from './find.ts';
import type { IncludedResource } from './include.ts';

/** A derived resource as it is stored. */
export type StoredText = { readonly id: string; readonly resource: string };

type DerivedResource = { readonly resourceType: string; readonly id: string; readonly meta?: unknown };

/**
 * A derived resource with the elements that every type has, and its US Core profile if it conforms. It is stored so, because each
 * read shows it, of earlier versions, too, and no read looks into a resource.
 */
export const addCommonElements = <Resource extends DerivedResource>(
  { profile, conforms }: Pick<ResourceFacts<never, Resource>, 'profile' | 'conforms'>,
  resource: Resource,
  { identifier, fields, ...labels }: CommonElements = {},
): Resource => {
  const { resourceType, id, ...elements } = fields === undefined ? resource : attachFields(resource, fields);
  const meta = { ...(conforms(resource) && { profile: [profile] }), ...labels };
  return {
    resourceType,
    id,
    ...(Object.keys(meta).length > 0 && { meta }),
    ...(identifier !== undefined && { identifier }),
    ...elements,
  } as DerivedResource as Resource;
};

/** Whether a resource says that it was entered in error. It may be as another system has sent it. */
export const isEnteredInError = ({ inError }: Pick<ResourceFacts, 'inError'>, resource: object): boolean =>
  elementsAt(resource, [inError.split('.')]).includes('entered-in-error');

/** The beginning of the `meta` of a stored resource, after its type and its id. It is never empty, and the profile comes first. */
const storedMeta = ',"meta":{';

/** The length of the text of a resource up to its id, with which it begins. */
const lengthToId = (type: string, id: string): number =>
  '{"resourceType":"","id":""'.length + type.length + id.length;

/** Whether the text of a stored resource says that it conforms to its profile. */
export const isStoredAsConforming = (type: string, { id, resource }: StoredText): boolean =>
  resource.startsWith(`${storedMeta}"profile":`, lengthToId(type, id));

/** The labels of a stored resource. Its text is parsed only if it has any. */
export const resourceLabels = (type: string, { id, resource }: StoredText): ResourceLabels => {
  const begin = lengthToId(type, id);
  const hasLabels = resource.startsWith(storedMeta, begin) && /"(?:security|tag)":/.test(resource);
  if (!hasLabels) return {};
  const { security, tag } = JSON.parse(resource).meta;
  return { ...(security !== undefined && { security }), ...(tag !== undefined && { tag }) };
};

/** A version of a resource: its JSON text, and the values for its HTTP headers. */
export type ResourceVersion = WithWarnings & {
  readonly id: string;
  /** The patient to whose chart it belongs. */
  readonly patientId: string | null;
  /** Counts from 1. */
  readonly version: number;
  /** In milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The resource as JSON text, with its `meta`. */
  readonly json: string;
  /** Set if a conditional create found it, and created nothing. */
  readonly isExisting?: true;
  /** Set if a write found it as it was to be, and wrote nothing. */
  readonly isUnwritten?: true;
};

/** A version of a resource, with the resource as it is stored. */
export type VersionText = Pick<StoredRecord, 'id' | 'version' | 'at'> & Pick<StoredResource, 'resource'>;

/**
 * Adds the version to `meta` in the text of a derived resource, after its type and its id, with which it begins. It is not stored,
 * because it is only known once it is written.
 */
export const addMeta = (type: string, version: VersionText): string => {
  const { id, resource } = version;
  const toId = lengthToId(type, id);
  const meta = `${storedMeta}"versionId":"${version.version}","lastUpdated":"${formatInstant(version.at)}"`;
  return resource.startsWith(storedMeta, toId)
    ? `${resource.slice(0, toId)}${meta},${resource.slice(toId + storedMeta.length)}`
    : `${resource.slice(0, toId)}${meta}}${resource.slice(toId)}`;
};

export const createResourceVersion = (
  type: string,
  id: string,
  { patientId, version, at, resource }: StoredResource,
): ResourceVersion => ({
  id,
  patientId,
  version,
  lastModified: at,
  json: addMeta(type, { id, version, at, resource }),
});

/** The resource version of a record; null if there is no resource to read. */
export const resourceVersionOf = (
  type: string,
  { id, resource, ...stored }: StoredRecord,
): ResourceVersion | null =>
  resource === null ? null : createResourceVersion(type, id, { ...stored, resource });

const isNamed = (key: string, name: string): boolean =>
  name.endsWith('[x]')
    ? key.startsWith(name.slice(0, -3)) && /^[A-Z]/.test(key.slice(name.length - 3))
    : key === name;

/** The tag of a resource that lacks elements. Source: FHIR R4, Search, 3.1.1.5.7. */
const subsetted = {
  system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue',
  code: 'SUBSETTED',
  display: 'subsetted',
};

/** The names of the elements that a search asks for; null if it asks for all. */
const requestedElements = (
  { type, elements: { mandatory, summary } }: Pick<SearchFacts, 'type' | 'elements'>,
  results: ResultParameters['results'],
): readonly string[] | null => {
  const [elements] = results.get('_elements') ?? [];
  if (elements !== undefined) {
    const declared = [...mandatory, ...summary];
    return elements.split(',').flatMap((sent) => {
      const name = sent.replace(`${type}.`, '');
      return [name, `${name}[x]`].filter((candidate) => candidate === name || declared.includes(candidate));
    });
  }
  switch (results.get('_summary')?.[0]) {
    case 'true':
      return summary;
    case 'text':
      // No resource here has a narrative, so the mandatory elements are left.
      return [];
    default:
      return null;
  }
};

type SubsetSource = DerivedResource & { readonly meta?: ResourceLabels };

/** Shortens the JSON text of a match to the elements that a search asks for; null if it asks for all. */
const createSubset = (
  facts: Pick<SearchFacts, 'type' | 'elements'>,
  { results }: Pick<ResultParameters, 'results'>,
): ((json: string) => string) | null => {
  if (results.size === 0) return null;
  const requested = requestedElements(facts, results);
  if (requested === null) return null;
  const names = [...facts.elements.mandatory, ...requested];
  const shorten = ({ resourceType, id, meta = {}, ...elements }: SubsetSource): string =>
    renderJson({
      resourceType,
      id,
      meta: { ...meta, tag: [...(meta.tag ?? []), subsetted] },
      ...Object.fromEntries(
        Object.entries(elements).filter(([key]) => names.some((name) => isNamed(key, name))),
      ),
    });
  return (json) => {
    const shortened = shorten(JSON.parse(json));
    // If it has a number, the digits may be other ones than those that were sent.
    return /":-?\d/.test(shortened) ? shorten(readJson(json).value as SubsetSource) : shortened;
  };
};

/** A version of a type, as an answer shows it. */
export const returnedVersion =
  (type: string) =>
  ({
    id,
    version,
    patientId,
  }: Pick<ResourceVersion, 'id' | 'version' | 'patientId'>): readonly ReturnedResource[] => [
    { type, id, version, patientId },
  ];

/** Reports the version that a write returns, and its warnings, if its caller asks for that. */
export const reportWritten = async (
  type: string,
  { onReturn, onWarnings }: AccessHooks & WarningOptions,
  write: Outcome<ResourceVersion>,
): Outcome<ResourceVersion> => {
  const written = await write;
  if (E.isRight(written) && written.right.warnings !== undefined) onWarnings?.(written.right.warnings);
  if (onReturn !== undefined && E.isRight(written)) {
    const { isUnwritten } = written.right;
    onReturn({ resources: returnedVersion(type)(written.right), searchedPatientIds: [], isUnwritten });
  }
  return written;
};

/**
 * The patients whom a search names, as far as the caller reaches them. If it names none, this is the patient to whose chart it is
 * limited. A limit to several charts does not count: the caller does not look into each of them.
 */
export const searchedPatientIdsOf = (
  named: readonly SearchCondition[],
  reached: readonly SearchCondition[],
): readonly string[] => {
  const lists = reached.flatMap((condition) => (condition.on === 'patient' ? [condition.anyOf] : []));
  const [first = [], ...rest] = lists;
  const patientIds = first.filter((id) => rest.every((list) => list.includes(id)));
  return patientIds.length === 1 || named.some(({ on }) => on === 'patient') ? patientIds : [];
};

/** The content of a page of a search: its matches, what it includes, and the patients to whom it was limited. */
export const returnedPage = (
  type: string,
  {
    named,
    reached,
    matches,
    included = [],
  }: {
    /** The conditions of the caller. */
    readonly named: readonly SearchCondition[];
    /** The conditions within the reach of the caller. */
    readonly reached: readonly SearchCondition[];
    readonly matches: readonly FoundMatch[];
    readonly included?: readonly IncludedResource[];
  },
): AnswerContent => {
  const matched = matches.flatMap(({ id, version, resource }) =>
    returnedResourcesIn(resource).map(({ patientId }) => ({ type, id, version, patientId })),
  );
  const added = included.flatMap(({ type: includedType, id, json, patientId }) =>
    patientId === undefined
      ? returnedResourcesIn(json)
      : [{ type: includedType, id, version: null, patientId }],
  );
  return { resources: [...matched, ...added], searchedPatientIds: searchedPatientIdsOf(named, reached) };
};

type PageFacts = Pick<SearchFacts, 'type' | 'path' | 'elements'>;

/** The text of a match. One without a version has no `meta` here. */
export const matchText = (type: string, match: FoundMatch): string =>
  match.version === null ? match.resource : addMeta(type, match);

/** The links of a page of a search. */
export const searchLinks = (
  { facts: { type, path = type }, search }: { readonly facts: PageFacts; readonly search: ParsedSearch },
  { matches, end: next, total }: FoundPage<FoundMatch>,
  urls: BundleUrls,
): Bundle<never>['link'] =>
  createPageLinks(linkTo(urls, path), search, { total: total ?? 0, shown: matches.length, next });

/** A page of a search as a bundle in JSON text: its matches, and then the resources that it includes. */
export const renderSearchPage = (
  searched: { readonly facts: PageFacts; readonly search: ParsedSearch },
  page: FoundPage<FoundMatch>,
  { included, urls }: { readonly included: readonly IncludedResource[]; readonly urls: BundleUrls },
): string => {
  const { facts, search } = searched;
  const { type } = facts;
  const subset = createSubset(facts, search);
  const entries = page.matches.map((match) => {
    const text = matchText(type, match);
    return renderSearchEntry(subset === null ? text : subset(text), fullUrlOf(urls, type, match.id));
  });
  for (const { type: includedType, id, json } of included) {
    entries.push(renderSearchEntry(json, fullUrlOf(urls, includedType, id), 'include'));
  }
  entries.push(...renderIgnored(search.ignored));
  const link = searchLinks(searched, page, urls);
  return renderBundle({ type: 'searchset', total: page.total ?? 0, link }, entries);
};
