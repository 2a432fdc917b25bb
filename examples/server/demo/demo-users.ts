import type { DemoUser } from '@clinical-records/example-chart';
import { roles } from '../settings.ts';
import type { Site } from '../site.ts';
import { okafor, practitioners, reyes } from './people.ts';

const users = [
  { id: okafor, role: roles.primaryCarePhysician.display },
  { id: reyes, role: roles.nurse.display },
];

const nameOf = (id: string): string => {
  const { firstName, lastName } = practitioners.find((one) => one.id === id) ?? {
    firstName: '',
    lastName: id,
  };
  return `${firstName} ${lastName}`;
};

/** The people as whom a visitor can sign in without a token: only in the demo clinic, and only if the server made its own token. */
export const demoUsers = ({ hasDemo, access }: Pick<Site, 'hasDemo' | 'access'>): readonly DemoUser[] =>
  hasDemo && access._tag === 'PrintedToken' ? users.map((user) => ({ ...user, name: nameOf(user.id) })) : [];
