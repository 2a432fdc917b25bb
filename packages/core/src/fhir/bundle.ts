import * as z from 'zod';
import type { Issue } from '../errors.ts';
import { named, type SchemaOutput } from './schema.ts';

/** The URL of the US Core profile of a type of resource. */
export const usCoreProfile = (type: string): string =>
  `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${type.toLowerCase()}`;

const linkRelations = ['self', 'first', 'next', 'last'] as const;

export type LinkRelation = (typeof linkRelations)[number];

const link = z.object({
  /** Which page it is: this one, the first, the next or the last. */
  relation: z.enum(linkRelations),
  /** A page: a URL, or relative to the URL of the request. */
  url: z
    .string()
    .describe('A URL, or relative to the URL of the request.')
    .meta({ examples: ['Goal?patient=7&_count=10&_offset=0'] }),
});

/** A link to a page of a search. */
export interface BundleLink extends SchemaOutput<typeof link> {}

const total = z.int().nonnegative();
const links = z.array(named<BundleLink>(link));

/** A bundle without its entries. Source: docs/http-interface.md#search-and-pagination. */
export const bundleHeadSchema = z.object({
  resourceType: z.literal('Bundle'),
  /** Always `searchset`. */
  type: z.literal('searchset'),
  /** How many resources match, on this page or not. */
  total: total.meta({ description: 'How many resources match, on this page or not.', examples: [12] }),
  /** Links to this page, to the first and the last one, and to the next one if there is more. */
  link: links,
});

/** A resource that a search found. */
export type SearchEntry<Resource> = {
  /** The URL of the resource; absent if the links are relative. */
  readonly fullUrl?: string;
  readonly resource: Resource;
  /** Says that the resource is a match. */
  readonly search: {
    /** Always `match`. */
    readonly mode: 'match';
  };
};

/** The result of a search. Source: docs/http-interface.md#search-and-pagination. */
export interface Bundle<Resource> extends SchemaOutput<typeof bundleHeadSchema> {
  /** Absent if the page is empty, because FHIR does not allow empty arrays. */
  readonly entry?: readonly SearchEntry<Resource>[];
}

/** A bundle of the versions of a resource, without its entries. Source: docs/http-interface.md#the-past-history-and-versions. */
export const historyHeadSchema = z.object({
  resourceType: z.literal('Bundle'),
  type: z.literal('history'),
  total: total.describe('How many versions there are, on this page or not.'),
  link: links,
});

/** How a version came about, as FHIR describes it. */
export const historyEntrySchema = z.object({
  request: z.object({ method: z.enum(['POST', 'PUT']), url: z.string() }),
  response: z.object({ status: z.enum(['201', '200']), etag: z.string(), lastModified: z.string() }),
});

export type HistoryEntry = z.output<typeof historyEntrySchema>;

type BundleHead = Pick<Bundle<never>, 'link'> & {
  readonly type: 'searchset' | 'history';
  /** Null if it was not counted. */
  readonly total: number | null;
};

/** How the URLs of a bundle are written. */
export type BundleUrls = {
  /** The relative path from the request URL to the base of the interface, such as `../`, with which relative links begin. */
  readonly base?: string | undefined;
  /** The URL of the interface, such as `https://clinic.example/fhir`. */
  readonly baseUrl?: string | undefined;
  /** Whether links are relative, or begin with `baseUrl`. Then each entry has a `fullUrl`. Default: `relative`. */
  readonly links?: 'relative' | 'absolute' | undefined;
};

/** The link to a path below the base of the interface. */
export const linkTo = ({ base = '', baseUrl, links }: BundleUrls, path: string): string =>
  links === 'absolute' ? `${baseUrl}/${path}` : `${base}${path}`;

/** The `fullUrl` of an entry; undefined if links are relative. */
export const fullUrlOf = (urls: BundleUrls, type: string, id: string): string | undefined =>
  urls.links === 'absolute' ? linkTo(urls, `${type}/${id}`) : undefined;

/** A bundle as JSON text, with the texts of its entries. */
export const renderBundle = (
  { type, total: count, link: pages }: BundleHead,
  entries: readonly string[],
): string => {
  const counted = count === null ? '' : `"total":${count},`;
  const start = `{"resourceType":"Bundle","type":"${type}",${counted}"link":${JSON.stringify(pages)}`;
  if (entries.length === 0) return `${start}}`;
  // `join` would copy each text once more.
  const list = entries.reduce((text, entry) => `${text},${entry}`);
  return `${start},"entry":[${list}]}`;
};

/** The URL of a resource, as the beginning of an entry. */
const fullUrlPart = (url: string | undefined): string => (url === undefined ? '' : `"fullUrl":"${url}",`);

/** An entry of a search as JSON text. */
export const renderSearchEntry = (
  resource: string,
  url: string | undefined,
  mode: 'match' | 'include' | 'outcome' = 'match',
): string => `{${fullUrlPart(url)}"resource":${resource},"search":{"mode":"${mode}"}}`;

/** The system of the names of rules in an OperationOutcome. Source: docs/errors.md. */
export const issueRuleSystem = 'urn:clinical-records:issue-rule';

/** The entry of a search that says what was ignored; none if nothing was. Source: FHIR R4, Search, 3.1.1.2. */
export const renderIgnored = (ignored: readonly Issue[]): readonly string[] => {
  if (ignored.length === 0) return [];
  const issue = ignored.map(({ rule, message, expression }) => ({
    severity: 'warning',
    code: 'not-supported',
    details: { coding: [{ system: issueRuleSystem, code: rule }], text: 'Ignored' },
    diagnostics: message,
    ...(expression !== undefined && { expression: [`http.${expression}`] }),
  }));
  const outcome = JSON.stringify({ resourceType: 'OperationOutcome', issue });
  return [renderSearchEntry(outcome, undefined, 'outcome')];
};

/** An entry of a history as JSON text. */
export const renderHistoryEntry = (
  resource: string,
  { url, entry }: { readonly url: string | undefined; readonly entry: HistoryEntry },
): string => `{${fullUrlPart(url)}"resource":${resource},${JSON.stringify(entry).slice(1)}`;
