import { useEffect, useMemo, useState } from 'preact/hooks';
import { createClient } from '../api/client.ts';
import { request } from '../api/request.ts';
import { findSession, type Session, signOut } from '../api/session.ts';
import type { ChartSettings } from '../settings.ts';
import { ChartPage } from './chart-page.tsx';
import { ClientContext, SettingsContext } from './contexts.ts';
import { PageHeader } from './page-header.tsx';
import { PatientList } from './patient-list.tsx';
import { usePatientId } from './patient-location.ts';
import { SignIn } from './sign-in.tsx';
import { PossibleMembersProvider } from './use-possible-members.tsx';

const SignedIn = ({
  settings,
  session,
  onSignedOut,
}: {
  readonly settings: ChartSettings;
  readonly session: Session;
  readonly onSignedOut: (notice: string) => void;
}) => {
  const { basePath } = settings;
  const client = useMemo(
    () =>
      createClient({
        ...{ basePath, session },
        onSignedOut: () => onSignedOut('The server does not accept this sign-in. Sign in again.'),
      }),
    [basePath, session, onSignedOut],
  );
  const patientId = usePatientId();
  const [error, setError] = useState('');
  return (
    <ClientContext.Provider value={client}>
      <PageHeader
        session={session}
        onSignOut={() =>
          signOut(session).then(
            () => onSignedOut(''),
            ({ message }) => setError(`You are still signed in. ${message}`),
          )
        }
      />
      {error !== '' && (
        <p class="notice" role="alert">
          {error}
        </p>
      )}
      <PossibleMembersProvider>
        {patientId === null ? <PatientList /> : <ChartPage key={patientId} patientId={patientId} />}
      </PossibleMembersProvider>
    </ClientContext.Provider>
  );
};

/** The chart: first the sign-in, then the patients, and then the chart of one of them. */
export const App = () => {
  const [settings, setSettings] = useState<ChartSettings | null>(null);
  const [session, setSession] = useState<Session | null>(null);
  const [notice, setNotice] = useState('');

  useEffect(() => {
    const start = async () => {
      const read = (await (await request('/chart/settings.json')).json()) as ChartSettings;
      setSession(await findSession(read.demoUsers));
      setSettings(read);
    };
    start().catch((cause) => setNotice(cause.message));
  }, []);

  const onSignedOut = useMemo(
    () => (reason: string) => {
      sessionStorage.clear();
      setSession(null);
      setNotice(reason);
    },
    [],
  );

  if (settings === null) {
    return (
      <>
        <header class="page-header">
          <span class="page-name">Clinical records</span>
        </header>
        {notice !== '' && (
          <p class="notice" role="alert">
            {notice}
          </p>
        )}
      </>
    );
  }
  return (
    <SettingsContext.Provider value={settings}>
      {session === null ? (
        <>
          <header class="page-header">
            <span class="page-name">Clinical records</span>
          </header>
          <SignIn notice={notice} onSignedIn={setSession} />
        </>
      ) : (
        <SignedIn settings={settings} session={session} onSignedOut={onSignedOut} />
      )}
    </SettingsContext.Provider>
  );
};
