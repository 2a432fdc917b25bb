import type { Route } from '../routes.ts';
import type { ResourceCapabilities } from './host-capabilities.ts';
import { interactionCodes, searchParamsOf } from './resource-capabilities.ts';

type ServedInteraction = { readonly code: string };

const arrayOf = (element: unknown): readonly unknown[] => (Array.isArray(element) ? element : []);

/** The capabilities for a type that is only read and searched here, with what the host adds. */
const withServed = (
  type: string,
  routes: readonly Route[],
  byHost: ResourceCapabilities = { type },
): ResourceCapabilities => {
  const codes = [...new Set(routes.map(({ interaction }) => interactionCodes[interaction]))];
  const [search] = routes.flatMap(({ parameters }) => (parameters === undefined ? [] : [parameters]));
  const isServed = (interaction: unknown) =>
    codes.some((code) => code === (interaction as ServedInteraction).code);
  return {
    ...byHost,
    interaction: [
      ...codes.map((code) => ({ code })),
      ...arrayOf(byHost.interaction).filter((one) => !isServed(one)),
    ],
    ...(search !== undefined && {
      searchParam: [...searchParamsOf(search), ...arrayOf(byHost.searchParam)],
    }),
  };
};

/** The capabilities for the types that are read here. The types that only the host describes follow. */
export const referencedCapabilities = (
  types: ReadonlyMap<string, readonly Route[]>,
  byHost: readonly ResourceCapabilities[],
): readonly ResourceCapabilities[] => {
  const ofHost = new Map(byHost.map((one) => [one.type, one]));
  return [
    ...[...types].map(([type, routes]) => withServed(type, routes, ofHost.get(type))),
    ...byHost.filter(({ type }) => !types.has(type)),
  ];
};
