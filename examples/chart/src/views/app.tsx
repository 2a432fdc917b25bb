import { useCallback, useEffect, useMemo, useState } from 'preact/hooks';
import { createClient } from '../api/client.ts';
import { request } from '../api/request.ts';
import { findSession, type Session, signOut } from '../api/session.ts';
import type { ChartSettings } from '../settings.ts';
import { Alert } from './alert.tsx';
import { ChartPage } from './chart/chart-page.tsx';
import { ClientContext, ContactContext, SettingsContext, type User, UserContext } from './contexts.ts';
import { hasChanges, mayLeave } from './forms/use-leave.ts';
import { PageHeader, SignedOutHeader } from './page-header.tsx';
import { PatientList } from './patients/patient-list.tsx';
import { usePatientId } from './patients/patient-location.ts';
import { SignIn } from './sign-in/sign-in.tsx';
import { SignInAgain } from './sign-in/sign-in-again.tsx';
import { PossibleMembersProvider } from './use-possible-members.tsx';

const userName = (session: Session): string =>
  session.kind === 'demo' ? session.user.name : 'somebody with a token';

/** Whether two sessions may be those of different people. Who has a token is not known. */
const isOther = (one: Session, other: Session): boolean => userName(one) !== userName(other);

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
  const [isReached, setReached] = useState(true);
  const client = useMemo(
    () => createClient({ basePath, session, onSignedOut: onExpired, onContact: setReached }),
    [basePath, session, onExpired],
  );
  const user = useMemo(
    (): User =>
      session.kind === 'demo'
        ? { name: session.user.name, practitionerId: session.user.id }
        : { name: userName(session), practitionerId: null },
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
        <ContactContext.Provider value={isReached}>
          <PossibleMembersProvider>
            {patientId === null ? <PatientList /> : <ChartPage key={patientId} patientId={patientId} />}
          </PossibleMembersProvider>
        </ContactContext.Provider>
      </UserContext.Provider>
    </ClientContext.Provider>
  );
};

/** The chart: first the sign-in, then the patients, and then the chart of one of them. */
export const App = () => {
  const [settings, setSettings] = useState<ChartSettings | null>(null);
  const [session, setSession] = useState<Session | null>(null);
  const [notice, setNotice] = useState('');
  const [visit, setVisit] = useState(0);
  const [somebodyElse, setSomebodyElse] = useState<Session | null>(null);

  useEffect(() => {
    const start = async () => {
      const read = (await (await request('/chart/settings.json')).json()) as ChartSettings;
      setSession(await findSession(read.demoUsers));
      setSettings(read);
    };
    start().catch((cause) => setNotice(cause.message));
  }, []);

  // What is typed is kept over a new sign-in. Somebody else begins anew, or is asked.
  const goOn = (signedIn: Session, keepsTyped: boolean) => {
    if (!keepsTyped) setVisit(visit + 1);
    setSession(signedIn);
    setSomebodyElse(null);
    setNotice('');
  };
  const onSignedIn = (signedIn: Session) => {
    const isSomebodyElse = session !== null && isOther(session, signedIn);
    if (isSomebodyElse && hasChanges()) setSomebodyElse(signedIn);
    else goOn(signedIn, !isSomebodyElse);
  };
  const onSignedOut = useCallback(() => {
    sessionStorage.clear();
    setSession(null);
    setSomebodyElse(null);
    setNotice('');
  }, []);
  const onExpired = useCallback(() => setNotice('The server does not accept this sign-in.'), []);

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
            <SignedIn key={visit} {...{ settings, session, onSignedOut, onExpired }} />
          </div>
          {notice !== '' && (
            <SignInAgain
              notice={notice}
              user={userName(session)}
              somebodyElse={somebodyElse && userName(somebodyElse)}
              onSignedIn={onSignedIn}
              onAnswer={(keepsTyped) => somebodyElse !== null && goOn(somebodyElse, keepsTyped)}
              onCancel={() => mayLeave() && onSignedOut()}
            />
          )}
        </>
      )}
    </SettingsContext.Provider>
  );
};
