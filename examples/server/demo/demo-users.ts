import type { DemoUser } from '@clinical-records/example-chart';
import type { Site } from '../serve/site.ts';
import { roles } from '../settings.ts';
import { okafor, practitioners, reyes } from './people.ts';

const users = [
  { id: okafor, role: roles.primaryCarePhysician.display },
  { id: reyes, role: roles.nurse.display },
];

const practitionerName = (id: string): string => {
  const { firstName, lastName } = practitioners.find((one) => one.id === id) ?? {
    firstName: '',
    lastName: id,
  };
  return `${firstName} ${lastName}`;
};

const isLoopback = (host: string): boolean => ['127.0.0.1', '::1', 'localhost'].includes(host);

type DemoSite = Pick<Site, 'hasDemo' | 'access' | 'host' | 'baseUrl'>;

/**
 * The people as whom a visitor can sign in without a token. There is nobody without the demo clinic, or if the tokens are those of
 * a host, or if other machines reach the server. A server with another URL for its clients has a proxy in front.
 */
export const demoUsers = ({ hasDemo, access, host, baseUrl }: DemoSite): readonly DemoUser[] =>
  hasDemo && access._tag === 'PrintedToken' && isLoopback(host) && baseUrl === null
    ? users.map((user) => ({ ...user, name: practitionerName(user.id) }))
    : [];
