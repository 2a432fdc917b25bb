import {
  type Client as ClientOf,
  type ClinicalTypes,
  createClient as createClientOf,
  RequestError,
} from '@clinical-records/client';
import type { ChartCommand, CommandSearch } from '@clinical-records/core';
import type { Allergy, Condition, Patient, PossibleMember, Provenance } from '../model/resources.ts';
import type { PeopleSearch } from '../model/search/people-search.ts';
import type { Session } from './session.ts';

/** The types that the page reads, as far as it shows them. */
type ChartTypes = Pick<ClinicalTypes, 'CareTeam' | 'Goal' | 'Immunization' | 'ServiceRequest'> & {
  readonly Patient: { readonly resource: Patient; readonly search: PeopleSearch };
  readonly Practitioner: { readonly resource: PossibleMember; readonly search: object };
  readonly Organization: { readonly resource: PossibleMember; readonly search: object };
  readonly Condition: { readonly resource: Condition };
  readonly AllergyIntolerance: { readonly resource: Allergy; readonly search: { readonly patient: string } };
  readonly Provenance: { readonly resource: Provenance; readonly search: { readonly target: string } };
};

/** The interface, as the user who signed in may use it. */
export type Client = ClientOf<ChartTypes>;

/** Sends requests, and reports whether each reached the server. One that the page itself ends says nothing of that. */
const createFetch =
  (onContact: (isReached: boolean) => void): typeof fetch =>
  async (input, init) => {
    try {
      const response = await fetch(input, init);
      onContact(![502, 503, 504].includes(response.status));
      return response;
    } catch (cause) {
      if ((cause as Error).name !== 'AbortError') onContact(false);
      throw cause;
    }
  };

/**
 * Creates the client of a session. A token is sent as a header, never in a URL. The cookie of the demo is sent by the browser,
 * and a header says whose it has to be. `onSignedOut` is called once the server no longer knows the user, and `onContact` after each request.
 */
export const createClient = ({
  basePath,
  session,
  onSignedOut,
  onContact,
}: {
  readonly basePath: string;
  readonly session: Session;
  readonly onSignedOut: () => void;
  readonly onContact: (isReached: boolean) => void;
}): Client =>
  createClientOf<ChartTypes>({
    baseUrl: basePath,
    headers: session.kind === 'demo' ? { 'demo-user': session.user.id } : {},
    getToken: ({ isRefused }) => {
      if (isRefused) onSignedOut();
      return session.kind === 'token' ? session.token : null;
    },
    fetch: createFetch(onContact),
    // The user is told within some seconds.
    maxAttempts: 4,
  });

/** All of them, page after page. */
export const listOf = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const list: A[] = [];
  for await (const item of items) list.push(item);
  return list;
};

/** The commands that are staged; none if the server has no commands, or the user may not see them. */
export const searchStaged = (
  { commands }: Client,
  parameters: Omit<CommandSearch, 'status'>,
): Promise<readonly ChartCommand[]> =>
  listOf(commands.search({ ...parameters, status: 'staged' })).catch((cause) => {
    if (cause instanceof RequestError && [403, 404].includes(cause.status)) return [];
    throw cause;
  });
