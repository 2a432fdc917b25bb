import type { Change } from '../../model/history/diff.ts';
import { ChangeList } from '../history/change-list.tsx';
import { FormNotice } from './form-notice.tsx';

/** Somebody else's change, found when a user saved: who, and what. */
export type Conflict = { readonly author: string; readonly changes: readonly Change[] };

/** Shows what somebody else changed during an edit, and asks how to go on. */
export const ConflictNotice = ({
  conflict: { author, changes },
  onRedo,
  onDiscard,
}: {
  readonly conflict: Conflict;
  readonly onRedo: () => void;
  readonly onDiscard: () => void;
}) => (
  <FormNotice>
    <p>
      <strong>
        <bdi dir="auto">{author}</bdi> changed this while you were editing.
      </strong>{' '}
      Nothing of yours was saved.
    </p>
    <ChangeList changes={changes} />
    <p class="form-actions">
      <button type="button" onClick={onRedo}>
        Add my changes to these
      </button>
      <button type="button" onClick={onDiscard}>
        Discard my changes
      </button>
    </p>
  </FormNotice>
);
