import type { Access } from '../access/access.ts';
import { rosa } from '../demo/people.ts';
import { statement } from '../demo/samples.ts';

/** Example requests for the demo clinic, and for any file. */
const samples = {
  demo: [
    { path: `/CareTeam/${rosa}`, flags: '-s' },
    { path: `/Goal?patient=Patient/${rosa}`, flags: '-s' },
    {
      path: '/Immunization',
      flags: `-si -H 'Content-Type: application/json' -d '${JSON.stringify(statement)}'`,
    },
  ],
  any: [
    { path: '/CareTeam?_count=1', flags: '-s' },
    { path: '/Goal?_count=3', flags: '-s' },
    { path: '/Immunization?_count=0', flags: '-s' },
  ],
};

const tokenText = (access: Access): string => {
  switch (access._tag) {
    case 'PrintedToken':
      return `Token: ${access.grant.token}`;
    case 'TokensFile':
      return 'Put a token of your file into TOKEN.';
    case 'AuthorizationServer':
      return 'Put a token of your authorization server into TOKEN.';
  }
};

const usCoreText =
  'US Core is on: absolute links, no care team without participants in searches, a role for each participant.';

/** The text that is printed once the server listens. Without its own token, its lines use a shell variable `$TOKEN`. */
export const greetingText = ({
  origin,
  basePath,
  access,
  hasDemo,
  usCore,
}: {
  readonly origin: string;
  readonly basePath: string;
  readonly access: Access;
  readonly hasDemo: boolean;
  readonly usCore: boolean;
}): string => {
  const address = `${origin}${basePath}`;
  const header =
    access._tag === 'PrintedToken'
      ? `'Authorization: Bearer ${access.grant.token}'`
      : '"Authorization: Bearer $TOKEN"';
  const lines = (hasDemo ? samples.demo : samples.any).map(
    ({ path, flags }) => `  curl ${flags} -H ${header} '${address}${path}'`,
  );
  return [
    `Clinical records at ${address}`,
    tokenText(access),
    ...(usCore ? [usCoreText] : []),
    '',
    'Try:',
    ...lines,
    '',
    `Docs: ${origin}/docs`,
    `In a browser: ${origin}/`,
    '',
  ].join('\n');
};
