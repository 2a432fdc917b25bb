import type { Draft } from '../../model/drafts.ts';
import { useClient } from '../contexts.ts';
import { ReasonDialog } from '../forms/reason-dialog.tsx';

/** Asks why a draft is discarded. */
export const DiscardDialog = ({
  draft,
  onClose,
  onDiscarded,
}: {
  readonly draft: Draft;
  readonly onClose: () => void;
  readonly onDiscarded: () => Promise<void>;
}) => {
  const client = useClient();
  return (
    <ReasonDialog
      title="Discard the draft?"
      action="Discard"
      onClose={onClose}
      send={async (reason) => {
        await client.commands.discard(draft.id, {
          version: draft.version,
          reason: reason === '' ? undefined : reason,
        });
        await onDiscarded();
      }}
    >
      <p>
        <strong dir="auto">{draft.title}</strong> had no effect yet, and leaves the chart.
      </p>
    </ReasonDialog>
  );
};
