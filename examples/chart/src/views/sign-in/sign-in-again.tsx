import type { Session } from '../../api/session.ts';
import { useModal } from '../use-modal.ts';
import { SignIn } from './sign-in.tsx';

/** The sign-in over everything else, for a session that has ended. What is typed below it is kept. */
export const SignInAgain = ({
  notice,
  onSignedIn,
  onCancel,
}: {
  readonly notice: string;
  readonly onSignedIn: (session: Session) => void;
  readonly onCancel: () => void;
}) => {
  const dialog = useModal();
  return (
    <dialog ref={dialog} class="whole-page" aria-label="Sign in again" onCancel={onCancel}>
      <SignIn notice={notice} onSignedIn={onSignedIn} />
    </dialog>
  );
};
