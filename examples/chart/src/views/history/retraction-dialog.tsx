import { useState } from 'preact/hooks';
import { formatDate } from '../../model/dates/dates.ts';
import { conceptName } from '../../model/names.ts';
import type { Goal, Immunization, ResourceVersion, ServiceRequest } from '../../model/resources.ts';
import { useClient, useSettings } from '../contexts.ts';
import { MoveDialog } from '../corrections/move-dialog.tsx';
import { ReasonDialog } from '../forms/reason-dialog.tsx';
import { useConflict } from '../forms/use-conflict.tsx';

/** A dose, an order or a goal, as it is read. */
export type Retractable = (Goal | Immunization | ServiceRequest) & ResourceVersion;

/** Its name and its date, in words. A goal may have no date. */
const labelOf = (record: Retractable): readonly [name: string, date?: string] => {
  switch (record.resourceType) {
    case 'Immunization':
      return [conceptName(record.vaccineCode), formatDate(record.occurrenceDateTime)];
    case 'ServiceRequest':
      return [conceptName(record.code), formatDate(record.authoredOn)];
    case 'Goal':
      return record.startDate === undefined
        ? [record.description.text]
        : [record.description.text, `from ${formatDate(record.startDate)}`];
  }
};

const statusOf = (record: Retractable): string =>
  record.resourceType === 'Goal' ? record.lifecycleStatus : record.status;

/** Asks why a dose, an order or a goal was entered in error. It stays in the chart, struck out. */
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
  const [seen, setSeen] = useState(record);
  const { resourceType: type, id } = record;
  const conflict = useConflict<Retractable>(
    { type, id },
    {
      isMade: (current) => statusOf(current) === 'entered-in-error',
      onSaved,
      onRedo: setSeen,
    },
  );
  const [name, date] = labelOf(record);
  const { hasCorrections } = useSettings();
  const [moves, setMoves] = useState(false);
  if (moves) return <MoveDialog record={record} name={name} onClose={onClose} onMoved={onSaved} />;
  return (
    <ReasonDialog
      title="Entered in error?"
      action="Mark as entered in error"
      send={async (reason) => {
        await client.commands.enterInError(`${type}/${id}/0`, { version: seen.meta?.versionId, reason });
        onSaved();
      }}
      onConflict={() => conflict.find(record)}
      onClose={onClose}
    >
      {conflict.notice}
      <p>
        <strong dir="auto">{name}</strong>
        {date !== undefined && `, ${date}`}. It stays in the chart, struck out, and no longer counts.
      </p>
      {hasCorrections && (
        <p>
          Is it of another patient?{' '}
          <button type="button" onClick={() => setMoves(true)}>
            Move it to the right patient …
          </button>
        </p>
      )}
    </ReasonDialog>
  );
};
