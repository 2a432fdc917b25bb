// #region create
import { createClient, RequestError } from '@clinical-records/client';

export const connect = (fetchIt: typeof fetch, accessToken: (isRefused: boolean) => Promise<string>) =>
  createClient({
    baseUrl: 'https://clinic.example/fhir',
    getToken: ({ isRefused }) => accessToken(isRefused), // after a 401, it is asked for another one
    fetch: fetchIt, // left out: the one of the platform
  });
// #endregion

type Client = ReturnType<typeof connect>;

export const showGoals = async (client: Client, patient: string) => {
  const texts: string[] = [];
  // #region read
  for await (const goal of client.search('Goal', { patient, 'lifecycle-status': 'active' })) {
    texts.push(goal.description.text);
  }
  // #endregion
  return texts;
};

export const replaceTeam = async (client: Client, patient: string, organization: string) => {
  // #region write
  const team = await client.read('CareTeam', patient);
  const member = { reference: `Organization/${organization}` } as const;
  try {
    await client.update(team, { id: patient, participant: [{ member }] });
    return 'The team was replaced.';
  } catch (cause) {
    if (!(cause instanceof RequestError)) throw cause; // no response, or a signal
    if (cause.isConflict) return 'Somebody has changed the team. Read it again.';
    return cause.issues.map(({ diagnostics, expression }) => `${expression?.[0]}: ${diagnostics}`).join('\n');
  }
  // #endregion
};

export const follow = (client: Client, patient: string, reload: (what: string) => void) => {
  // #region watch
  const leaving = new AbortController();
  const ended = client.watch(
    patient,
    (change) => {
      if (change.kind === 'read') reload(change.types?.join() ?? 'everything');
      else reload(`${change.resourceType}/${change.id}`);
    },
    { signal: leaving.signal },
  );
  // #endregion
  return async () => {
    leaving.abort();
    await ended;
  };
};

/** A command that waits to be sent, as the tablet keeps it: with its key, so that it has one effect. */
export type Waiting = { readonly key: string; readonly command: Parameters<Client['commands']['stage']>[0] };

// #region outbox
/** Sends what waits, in order, until there is no connection. Returns what waits on. */
export const sendWaiting = async (client: Client, outbox: readonly Waiting[]) => {
  for (const [index, { key, command }] of outbox.entries()) {
    try {
      await client.commands.stage(command, { key });
    } catch (cause) {
      if (cause instanceof RequestError && cause.status < 500) throw cause; // the user corrects it
      return outbox.slice(index);
    }
  }
  return [];
};
// #endregion
