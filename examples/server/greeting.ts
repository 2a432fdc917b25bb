import { rosa } from './demo/people.ts';

/** A statement as the interface takes it, of a patient of the demo clinic. */
const statement = JSON.stringify({
  status: 'completed',
  vaccineCode: {
    coding: [
      { system: 'http://hl7.org/fhir/sid/cvx', code: '08', display: 'Hep B, adolescent or pediatric' },
    ],
  },
  patient: { reference: `Patient/${rosa}` },
  occurrenceDateTime: '2024-10-02',
  primarySource: false,
  note: [{ text: 'The vaccination card was seen.' }],
});

/** What can be asked of the demo clinic, and of any file. */
const samples = {
  demo: [
    { path: `/CareTeam/${rosa}`, flags: '-s' },
    { path: `/Goal?patient=Patient/${rosa}`, flags: '-s' },
    { path: '/Immunization', flags: `-si -H 'Content-Type: application/json' -d '${statement}'` },
  ],
  any: [
    { path: '/CareTeam?_count=1', flags: '-s' },
    { path: '/Goal?_count=3', flags: '-s' },
    { path: '/Immunization?_count=0', flags: '-s' },
  ],
};

/** What is printed once the server listens. Without a token of its own, its lines use a `$TOKEN` of the shell. */
export const greetingText = ({
  origin,
  basePath,
  token,
  hasDemo,
}: {
  readonly origin: string;
  readonly basePath: string;
  readonly token: string | null;
  readonly hasDemo: boolean;
}): string => {
  const address = `${origin}${basePath}`;
  const header = token === null ? '"Authorization: Bearer $TOKEN"' : `'Authorization: Bearer ${token}'`;
  const lines = (hasDemo ? samples.demo : samples.any).map(
    ({ path, flags }) => `  curl ${flags} -H ${header} '${address}${path}'`,
  );
  return [
    `Clinical records at ${address}`,
    token === null ? 'Put a token of your file into TOKEN.' : `Token: ${token}`,
    `Docs: ${origin}/docs`,
    '',
    'Try:',
    ...lines,
    '',
  ].join('\n');
};
