import type { HostResource } from './host-resources.ts';

/** A search parameter of the host, as `/metadata` lists it. */
export type HostSearchParameter = {
  /** The name, such as `name`. */
  readonly name: string;
  /** The type of its values in FHIR. */
  readonly type: 'number' | 'date' | 'string' | 'token' | 'reference' | 'quantity' | 'uri';
  /** A sentence about the matches. */
  readonly documentation: string;
};

/** The search of one type of the host's resources. */
export type HostSearch = {
  /** The parameters that `find` understands. Any other parameter is a 400. */
  readonly parameters: readonly HostSearchParameter[];
  /**
   * Returns a page of the resources that meet all conditions: at most `count` of them after the first `offset` ones, always in
   * the same order. Without conditions, all resources of the type match. It is called only for a sender whose scopes allow to
   * search the type. With `within`, only resources of these patients match. An error that it throws becomes a response as with
   * `read`. A resource of another type or chart is a 500.
   */
  readonly find: (
    conditions: readonly (readonly [name: string, value: string])[],
    page: {
      readonly count: number;
      readonly offset: number;
      readonly within: readonly string[] | undefined;
    },
  ) => Promise<HostMatches> | HostMatches;
};

/** A page of matches. */
export type HostMatches = {
  /** How many resources match, on this page or not. */
  readonly total: number;
  /** The resources of the page. */
  readonly resources: readonly HostResource[];
};

/** The names of search parameters in FHIR. The result parameters begin with `_`, and only `_id` is a condition. */
const namePattern = /^(_id|[a-z][a-z0-9-]*)$/;

/** Throws if plain JavaScript got a search wrong, or if it is of a type that is not read. */
export const checkHostSearches = (
  searches: Readonly<Record<string, HostSearch>>,
  types: readonly string[],
): void => {
  for (const [type, { parameters, find }] of Object.entries(searches)) {
    if (!types.includes(type)) throw new Error(`hostResources.searches.${type} is not one of the types.`);
    if (typeof find !== 'function') {
      throw new TypeError(`hostResources.searches.${type}.find must be a function.`);
    }
    if (!Array.isArray(parameters) || parameters.some(({ name }) => !namePattern.test(name))) {
      throw new TypeError(`hostResources.searches.${type}.parameters must have names such as birthdate.`);
    }
  }
};
