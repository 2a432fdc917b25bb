import type { Session } from '../api/session.ts';

/** The sign of the product. Its name is beside it. */
const ProductIcon = () => <img src="/chart/icon.svg" width="20" height="20" alt="" />;

/** The line at the top while nobody is signed in. */
export const SignedOutHeader = () => (
  <header class="page-header">
    <span class="page-name">
      <ProductIcon />
      Clinical records
    </span>
  </header>
);

/** The line at the top: the way past it, the way back to the patients, and who is signed in. */
export const PageHeader = ({
  session,
  onSignOut,
}: {
  readonly session: Session;
  readonly onSignOut: () => void;
}) => (
  <header class="page-header">
    {/* biome-ignore lint/a11y/useValidAnchor: it leads within the page, whose fragment has the patient. */}
    <a
      class="skip"
      href="#main"
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      Skip to the content
    </a>
    <span class="page-name">
      <ProductIcon />
      <span class="wide-only">Clinical records</span>
    </span>
    <nav aria-label="Pages">
      <a href="#patients">Patients</a>
    </nav>
    <p class="signed-in">
      {session.kind === 'demo' ? (
        <span>
          <bdi dir="auto">{session.user.name}</bdi>
          <span class="secondary wide-only">, {session.user.role}</span>
        </span>
      ) : (
        <span class="secondary">Signed in with a token</span>
      )}
      <button type="button" class="quiet" onClick={onSignOut}>
        Sign out
      </button>
    </p>
  </header>
);
