import { useState } from 'preact/hooks';
import { loadConflict } from '../../api/conflict.ts';
import { formatDate } from '../../model/dates.ts';
import { retractionBody } from '../../model/immunization-bodies.ts';
import { conceptName } from '../../model/names.ts';
import type { Immunization, Versioned } from '../../model/resources.ts';
import { useClient } from '../contexts.ts';
import { Dialog } from '../dialog.tsx';
import { type Conflict, ConflictNotice } from '../forms/conflict-notice.tsx';
import { GeneralErrors } from '../forms/field.tsx';
import { useSubmit } from '../forms/use-submit.ts';
import { usePossibleMembers } from '../use-possible-members.tsx';

/** Asks whether a statement was entered in error. It stays in the chart, struck out. */
export const RetractionDialog = ({
  immunization,
  onClose,
  onSaved,
}: {
  readonly immunization: Immunization & Versioned;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}) => {
  const client = useClient();
  const names = usePossibleMembers();
  const [version, setVersion] = useState(immunization.meta?.versionId ?? '');
  const [newer, setNewer] = useState<(Conflict & { readonly version: string }) | null>(null);
  const { id, vaccineCode, occurrenceDateTime } = immunization;
  const { submit, isSending, errors } = useSubmit(
    async () => {
      await client.write('PUT', `Immunization/${encodeURIComponent(id)}`, {
        body: retractionBody(immunization),
        ifMatch: `W/"${version}"`,
      });
      onSaved();
    },
    {
      fields: {},
      onConflict: async () => {
        const found = await loadConflict(client, { type: 'Immunization', id }, immunization);
        // It was marked already: by a request whose response was lost, or by somebody else.
        if (found.current.resource.status === 'entered-in-error') return onSaved();
        setNewer({
          author: names.get(found.author ?? '') ?? 'Somebody',
          changes: found.changes,
          version: found.current.resource.meta?.versionId ?? '',
        });
      },
    },
  );
  return (
    <Dialog title="Entered in error?" onClose={onClose}>
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
      <GeneralErrors sentences={errors.general} />
      <p>
        <strong dir="auto">{conceptName(vaccineCode)}</strong>, {formatDate(occurrenceDateTime)}. It stays in
        the chart, struck out, and no longer counts as given.
      </p>
      <p class="form-actions">
        <button type="button" class="primary" disabled={isSending || newer !== null} onClick={submit}>
          Mark as entered in error
        </button>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
      </p>
    </Dialog>
  );
};
