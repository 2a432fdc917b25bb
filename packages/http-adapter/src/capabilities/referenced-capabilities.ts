import type { ResourceCapabilities } from './host-capabilities.ts';

const read = { code: 'read' };

const isRead = (interaction: unknown): boolean => (interaction as typeof read).code === read.code;

/** The capabilities for a type that is only read here, with what the host adds. */
const withRead = (type: string, byHost: ResourceCapabilities = { type }): ResourceCapabilities => {
  const interactions = Array.isArray(byHost.interaction) ? byHost.interaction : [];
  return { ...byHost, interaction: [read, ...interactions.filter((one) => !isRead(one))] };
};

/** The capabilities for the types that are read here. The types that only the host describes follow. */
export const referencedCapabilities = (
  types: readonly string[],
  byHost: readonly ResourceCapabilities[],
): readonly ResourceCapabilities[] => {
  const ofHost = new Map(byHost.map((one) => [one.type, one]));
  return [
    ...types.map((type) => withRead(type, ofHost.get(type))),
    ...byHost.filter(({ type }) => !types.includes(type)),
  ];
};
