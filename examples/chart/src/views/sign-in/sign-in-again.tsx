import type { Session } from '../../api/session.ts';
import { hasChanges } from '../forms/use-leave.ts';
import { useModal } from '../use-modal.ts';
import { SignIn } from './sign-in.tsx';

/** Asks whether somebody goes on with what somebody else typed. */
const TypedByOther = ({
  user,
  somebodyElse,
  onAnswer,
}: {
  readonly user: string;
  readonly somebodyElse: string;
  readonly onAnswer: (keepsTyped: boolean) => void;
}) => (
  <main class="sign-in">
    <h1>Go on with what was typed?</h1>
    <p>
      It is not saved, and <bdi dir="auto">{user}</bdi> typed it. You are signed in as{' '}
      <bdi dir="auto">{somebodyElse}</bdi>: what you save is recorded as yours.
    </p>
    <p class="form-actions">
      <button type="button" class="primary" onClick={() => onAnswer(true)}>
        Go on with it
      </button>
      <button type="button" onClick={() => onAnswer(false)}>
        Throw it away
      </button>
    </p>
  </main>
);

/** The sign-in over everything else, for a session that has ended. What is typed below it is kept, and hidden until then. */
export const SignInAgain = ({
  notice,
  user,
  somebodyElse,
  onSignedIn,
  onAnswer,
  onCancel,
}: {
  readonly notice: string;
  /** The name of the user whose session has ended. */
  readonly user: string;
  /** The name of another user, who has signed in; null before. */
  readonly somebodyElse: string | null;
  readonly onSignedIn: (session: Session) => void;
  readonly onAnswer: (keepsTyped: boolean) => void;
  readonly onCancel: () => void;
}) => {
  const dialog = useModal();
  const kept = hasChanges()
    ? `Your form is kept: sign in again as ${user} to go on with it.`
    : 'Sign in again.';
  return (
    <dialog
      ref={dialog}
      class="whole-page"
      aria-label="Sign in again"
      onCancel={(event) => {
        event.preventDefault();
        onCancel();
      }}
    >
      {somebodyElse === null ? (
        <SignIn notice={`${notice} ${kept}`} onSignedIn={onSignedIn} />
      ) : (
        <TypedByOther user={user} somebodyElse={somebodyElse} onAnswer={onAnswer} />
      )}
    </dialog>
  );
};
