import { useEffect, useState } from 'preact/hooks';
import { type Session, signInAs, signInByToken } from '../../api/session.ts';
import { Alert } from '../alert.tsx';
import { useSettings } from '../contexts.ts';

/** The users of the demo clinic: a click signs one in. */
const DemoUsers = ({
  onSignedIn,
  onRefused,
}: {
  readonly onSignedIn: (session: Session) => void;
  readonly onRefused: (sentence: string) => void;
}) => {
  const { demoUsers } = useSettings();
  return (
    <section aria-labelledby="demo-heading">
      <h2 id="demo-heading">The demo clinic</h2>
      <p class="secondary">Made-up patients on this machine. Choose who you are:</p>
      <ul class="demo-users">
        {demoUsers.map((user) => (
          <li key={user.id}>
            <button
              type="button"
              onClick={() => signInAs(user).then(onSignedIn, (cause) => onRefused(cause.message))}
            >
              <bdi dir="auto">{user.name}</bdi>
              <span class="secondary">{user.role}</span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
};

const TokenForm = ({ onSignedIn }: { readonly onSignedIn: (session: Session) => void }) => {
  const { tokenHint } = useSettings();
  const [token, setToken] = useState('');
  return (
    <form
      class="token-form"
      onSubmit={(event) => {
        event.preventDefault();
        if (token.trim() !== '') onSignedIn(signInByToken(token.trim()));
      }}
    >
      <label for="token">Token</label>
      <input
        id="token"
        type="password"
        autocomplete="off"
        required
        value={token}
        aria-describedby="token-hint"
        onInput={(event) => setToken(event.currentTarget.value)}
      />
      <button type="submit">Sign in</button>
      <p id="token-hint" class="secondary">
        {tokenHint}
      </p>
    </form>
  );
};

/** The first page: one click for the demo clinic, or a token. */
export const SignIn = ({
  notice,
  onSignedIn,
}: {
  readonly notice: string;
  readonly onSignedIn: (session: Session) => void;
}) => {
  const { demoUsers } = useSettings();
  const [error, setError] = useState(notice);
  // The name of a patient is not shown to somebody who is not signed in.
  useEffect(() => {
    const before = document.title;
    document.title = 'Clinical records';
    return () => {
      document.title = before;
    };
  }, []);
  return (
    <main class="sign-in">
      <h1>A patient’s chart</h1>
      <p class="lede">Care teams, goals, orders and immunizations, with the history of each.</p>
      <Alert sentence={error} />
      {demoUsers.length > 0 && <DemoUsers onSignedIn={onSignedIn} onRefused={setError} />}
      <section aria-labelledby="token-heading">
        <h2 id="token-heading">{demoUsers.length > 0 ? 'Or with a token' : 'Sign in with a token'}</h2>
        <TokenForm onSignedIn={onSignedIn} />
      </section>
    </main>
  );
};
