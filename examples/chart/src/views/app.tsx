import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { createClient } from '../api/client.ts';
import { request } from '../api/request.ts';
import { findSession, type Session, signOut } from '../api/session.ts';
import type { ChartSettings } from '../settings.ts';
import { Alert } from './alert.tsx';
import { ChartPage } from './chart/chart-page.tsx';
import { ClientContext, SettingsContext, type User, UserContext } from './contexts.ts';
import { PageHeader, SignedOutHeader } from './page-header.tsx';
import { PatientList } from './patients/patient-list.tsx';
import { usePatientId } from './patients/patient-location.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { SignInAgain } from './sign-in/sign-in-again.tsx';
import { PossibleMembersProvider } from './use-possible-members.tsx';

const SignedIn = ({
  settings,
  session,
  onSignedOut,
  onExpired,
}: {
  readonly settings: ChartSettings;
  readonly session: Session;
  readonly onSignedOut: () => void;
  readonly onExpired: () => void;
}) => {
  const { basePath } = settings;
  const client = useMemo(
    () => createClient({ basePath, session, onSignedOut: onExpired }),
    [basePath, session, onExpired],
  );
  const user = useMemo(
    (): User =>
      session.kind === 'demo'
        ? { name: session.user.name, practitionerId: session.user.id }
        : { name: 'somebody with a token', practitionerId: null },
    [session],
  );
  const patientId = usePatientId();
  const [error, setError] = useState('');
  return (
    <ClientContext.Provider value={client}>
      <PageHeader
        session={session}
        onSignOut={() =>
          signOut(session).then(onSignedOut, ({ message }) => setError(`You are still signed in. ${message}`))
        }
      />
      <Alert sentence={error} />
      <UserContext.Provider value={user}>
        <PossibleMembersProvider>
          {patientId === null ? <PatientList /> : <ChartPage key={patientId} patientId={patientId} />}
        </PossibleMembersProvider>
      </UserContext.Provider>
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

  const onSignedIn = (signedIn: Session) => {
    setSession(signedIn);
    setNotice('');
  };
  const onSignedOut = useCallback(() => {
    sessionStorage.clear();
    setSession(null);
    setNotice('');
  }, []);
  const onExpired = useCallback(
    () => setNotice('The server does not accept this sign-in. Sign in again.'),
    [],
  );

  if (settings === null) {
    return (
      <>
        <SignedOutHeader />
        <Alert sentence={notice} />
      </>
    );
  }
  return (
    <SettingsContext.Provider value={settings}>
      {session === null ? (
        <>
          <SignedOutHeader />
          <SignIn notice="" onSignedIn={onSignedIn} />
        </>
      ) : (
        <>
          <div hidden={notice !== ''}>
            <SignedIn
              key={session.kind === 'demo' && session.user.id}
              {...{ settings, session, onSignedOut, onExpired }}
            />
          </div>
          {notice !== '' && <SignInAgain notice={notice} onSignedIn={onSignedIn} onCancel={onSignedOut} />}
        </>
      )}
    </SettingsContext.Provider>
  );
};
