import { type ReadCorrection, RequestError } from '@clinical-records/client';
import { useEffect, useState } from 'preact/hooks';
import { formatDate } from '../../model/dates/dates.ts';
import { listedName } from '../../model/names.ts';
import { useClient } from '../contexts.ts';
import { usePossibleMembers } from '../use-possible-members.tsx';

/** The corrections, and the names of the patients in them. */
type Read = {
  readonly corrections: readonly ReadCorrection[];
  readonly names: ReadonlyMap<string, string>;
};

const sentences = {
  move: 'Moved',
  merge: 'Merged',
  erasure: 'Erased',
} as const;

/** When a resource or a patient came from another chart, by whom and why; nothing where nobody may see it. */
export const Corrections = ({ of }: { readonly of: { readonly type: string; readonly id: string } }) => {
  const client = useClient();
  const members = usePossibleMembers();
  const [read, setRead] = useState<Read | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    const load = async () => {
      const corrections = await client.corrections.of(of.type, of.id);
      const ids = new Set(
        corrections.flatMap(({ patientId, toPatientId }) => [patientId, toPatientId ?? '']),
      );
      const patients = await Promise.all(
        [...ids].filter((id) => id !== '').map((id) => client.read('Patient', id).catch(() => null)),
      );
      setRead({
        corrections,
        names: new Map(
          patients.flatMap((patient) => (patient ? [[patient.id, listedName(patient.name)]] : [])),
        ),
      });
    };
    load().catch((cause) => {
      // Another server has no corrections, and not everybody may see them.
      if (!(cause instanceof RequestError && [403, 404].includes(cause.status))) setError(cause.message);
    });
  }, [client, of.type, of.id]);
  if (error !== '') return <p class="secondary">Whether it was corrected could not be read. {error}</p>;
  if (read === null || read.corrections.length === 0) return null;
  const patientName = (id: string | null) => (id === null ? '' : (read.names.get(id) ?? id));
  return (
    <ul class="corrections">
      {read.corrections.map(({ id, kind, at, by, reason, patientId, toPatientId }) => (
        <li key={id}>
          {sentences[kind]} from the chart of <bdi dir="auto">{patientName(patientId)}</bdi>
          {toPatientId !== null && (
            <>
              {' '}
              into that of <bdi dir="auto">{patientName(toPatientId)}</bdi>
            </>
          )}
          <span class="secondary">
            {' '}
            on {formatDate(at)} by <bdi dir="auto">{members.get(by) ?? by}</bdi>
          </span>
          . Reason: <span dir="auto">{reason}</span>
        </li>
      ))}
    </ul>
  );
};
