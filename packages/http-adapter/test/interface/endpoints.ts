export const types = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

type Endpoint = readonly [method: string, path: string];

/** Every endpoint of the interface. */
export const endpoints: readonly Endpoint[] = [
  ...types.flatMap((type): Endpoint[] => [
    ['GET', `/${type}`],
    ['GET', `/${type}/amy`],
    ['POST', `/${type}/_search`],
  ]),
  ['PUT', '/CareTeam/amy'],
  ['POST', '/Immunization'],
  ['PUT', '/Immunization/amy'],
];
