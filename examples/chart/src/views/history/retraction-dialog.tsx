import { useState } from 'preact/hooks';
import { enterInError } from '../../api/commands.ts';
import { loadConflict } from '../../api/conflict.ts';
import { formatDate } from '../../model/dates.ts';
import { conceptName } from '../../model/names.ts';
import type { Immunization, ServiceRequest, Versioned } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { type Conflict, ConflictNotice } from '../forms/conflict-notice.tsx';
import { ReasonDialog } from '../forms/reason-dialog.tsx';
import { usePossibleMembers } from '../use-possible-members.tsx';

/** A dose or an order, as it is read. */
export type Retractable = (Immunization | ServiceRequest) & Versioned;

/** Its name and its date, in words. */
const labelOf = (record: Retractable): readonly [string, string] =>
  record.resourceType === 'Immunization'
    ? [conceptName(record.vaccineCode), formatDate(record.occurrenceDateTime)]
    : [conceptName(record.code), formatDate(record.authoredOn)];

/** Asks why a dose or an order was entered in error. It stays in the chart, struck out. */
export const RetractionDialog = ({
  record,
  onClose,
  onSaved,
}: {
  readonly record: Retractable;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const names = usePossibleMembers();
  const [version, setVersion] = useState(record.meta?.versionId ?? '');
  const [newer, setNewer] = useState<(Conflict & { readonly version: string }) | null>(null);
  const { resourceType: type, id } = record;
  const [name, date] = labelOf(record);
  return (
    <ReasonDialog
      title="Entered in error?"
      action="Mark as entered in error"
      send={async (reason) => {
        await enterInError(client, { type, id, version }, { reason });
        onSaved();
      }}
      onConflict={async () => {
        const found = await loadConflict(client, { type, id }, record);
        // It was marked already: by a request whose response was lost, or by somebody else.
        if (found.current.resource.status === 'entered-in-error') return onSaved();
        setNewer({
          author: names.get(found.author ?? '') ?? 'Somebody',
          changes: found.changes,
          version: found.current.resource.meta?.versionId ?? '',
        });
      }}
      onClose={onClose}
    >
      {newer !== null && (
        <ConflictNotice
          conflict={newer}
          onDiscard={onSaved}
          onRedo={() => {
            setVersion(newer.version);
            setNewer(null);
          }}
        />
      )}
      <p>
        <strong dir="auto">{name}</strong>, {date}. It stays in the chart, struck out, and no longer counts.
      </p>
    </ReasonDialog>
  );
};
