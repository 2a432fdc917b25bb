import { listOf } from '../../api/client.ts';
import type { Goal, ResourceVersion } from '../../model/resources.ts';
import { useClient, usePatient } from '../contexts.ts';
import { ReasonDialog } from '../forms/reason-dialog.tsx';

/** Asks why a goal was closed in error. It is open again, as it was before. */
export const ReopenDialog = ({
  goal,
  onClose,
  onReopened,
}: {
  readonly goal: Goal & ResourceVersion;
  readonly onClose: () => void;
  readonly onReopened: () => Promise<void>;
}) => {
  const client = useClient();
  const patient = usePatient();
  const reopen = async (reason: string) => {
    const commands = await listOf(client.commands.search({ patient: patient.id, status: 'committed' }));
    const close = commands.find(({ kind, resourceId }) => kind === 'closeGoal' && resourceId === goal.id);
    if (close === undefined) throw new Error('This goal was closed in another system. Reopen it there.');
    await client.commands.enterInError(close.id, { version: goal.meta?.versionId, reason });
    await onReopened();
  };
  return (
    <ReasonDialog title="Reopen the goal?" action="Reopen" onClose={onClose} send={reopen}>
      <p>
        <strong dir="auto">{goal.description.text}</strong> is open again, as it was before it was closed. Its
        history shows both.
      </p>
    </ReasonDialog>
  );
};
