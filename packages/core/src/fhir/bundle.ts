import type { LinkRelation } from '../search/paging.ts';

/** The answer to a search. Source: interface, "Search bundle". */
export type Bundle<Resource> = {
  readonly resourceType: 'Bundle';
  readonly type: 'searchset';
  /** How many resources match, on this page or not. */
  readonly total: number;
  /** URLs relative to the base of the interface, such as `Goal?patient=7&_count=10&_offset=0`. */
  readonly link: readonly { readonly relation: LinkRelation; readonly url: string }[];
  /** Absent where the page is empty: FHIR allows no empty array. */
  readonly entry?: readonly { readonly resource: Resource }[];
};

/** A bundle as JSON text, around the texts of its resources as they are stored. */
export const bundleJson = (
  head: Pick<Bundle<never>, 'total' | 'link'>,
  resources: readonly (string | null)[],
): string => {
  const entry = resources.map((resource) => `{"resource":${resource}}`).join();
  const start = `{"resourceType":"Bundle","type":"searchset","total":${head.total},"link":${JSON.stringify(head.link)}`;
  return entry === '' ? `${start}}` : `${start},"entry":[${entry}]}`;
};
