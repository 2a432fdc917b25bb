import { useState } from 'preact/hooks';
import { loadConflict } from '../../api/conflict.ts';
import type { ChartResource, ChartType, ResourceVersion } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { usePossibleMembers } from '../use-possible-members.tsx';
import { type Conflict, ConflictNotice } from './conflict-notice.tsx';

/**
 * Somebody else's change of a record during an edit. `find` reads it, `notice` shows it and asks how to go on. If the user redoes the
 * edit, `onRedo` gets the current version; if the user discards it, or it was made already, `onSaved` is called.
 */
export const useConflict = <Resource extends ChartResource>(
  ref: { readonly type: ChartType; readonly id: string },
  {
    isMade = () => false,
    onSaved,
    onRedo,
  }: {
    /** Whether the current version has the user's edit: only the response was lost, or somebody else made it, too. */
    readonly isMade?: (current: Resource) => boolean;
    readonly onSaved: () => void;
    readonly onRedo: (current: Resource & ResourceVersion) => void;
  },
) => {
  const client = useClient();
  const names = usePossibleMembers();
  const [newer, setNewer] = useState<(Conflict & { readonly current: Resource & ResourceVersion }) | null>(
    null,
  );
  const find = async (earlier: Resource): Promise<void> => {
    const { current, author, changes } = await loadConflict(client, ref, earlier);
    if (isMade(current)) return onSaved();
    setNewer({ current, author: names.get(author ?? '') ?? 'Somebody', changes });
  };
  const notice =
    newer === null ? null : (
      <ConflictNotice
        conflict={newer}
        onDiscard={onSaved}
        onRedo={() => {
          onRedo(newer.current);
          setNewer(null);
        }}
      />
    );
  return { find, notice };
};
