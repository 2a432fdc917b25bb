import type { AuthorReference, ClinicalRecords } from '@clinical-records/core';
import { participant, statement } from '../../builders.ts';
import {
  cardiologist,
  createHandler,
  createSender,
  dietitian,
  nurse,
  type ParsedResponse,
} from '../../clinic.ts';

/** A write over the interface by an author of its own, by whom its versions are recognized. */
export type Write = {
  readonly by: AuthorReference;
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: unknown;
};

const numbers = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** The encounter of all statements. It has no note yet. */
export const prepareRace = async ({ directory }: ClinicalRecords) =>
  directory.put('Encounter', { id: 'race', patientId: 'amy' });

export const posts: readonly Write[] = numbers(32).map((at) => ({
  by: `Practitioner/post-${at}`,
  method: 'POST',
  path: '/Immunization',
  body: statement({ encounter: { reference: 'Encounter/race' }, note: [{ text: `Statement ${at}` }] }),
}));

const practitioners = ['ada', 'bob', 'cyd', 'dan'];
const roles = [cardiologist, nurse, dietitian];

/** One to three of the practitioners, in roles that change, with an organization or without: no two lists have the same members. */
const membersOf = (at: number) => [
  ...numbers(1 + (Math.floor(at / 4) % 3)).map((place) =>
    participant(
      `Practitioner/${practitioners[(at + place) % practitioners.length]}`,
      roles[(at + place) % roles.length] ?? null,
    ),
  ),
  ...(at < 12 ? [] : [participant('Organization/lab', null)]),
];

export const puts: readonly Write[] = numbers(24).map((at) => ({
  by: `Practitioner/put-${at}`,
  method: 'PUT',
  path: '/CareTeam/amy',
  body: { resourceType: 'CareTeam', id: 'amy', participant: membersOf(at) },
}));

/** Writes as whoever is named. */
export const createWriter = (records: ClinicalRecords): ((write: Write) => Promise<ParsedResponse>) => {
  const authenticate = (token: string) => ({
    subject: token as AuthorReference,
    scopes: ['user/*.*'] as const,
  });
  const send = createSender(createHandler(records, { authenticate }));
  return ({ by, method, path, body }) => send(method, path, { token: by, body });
};
