import type { AccessEvent, ReturnedResource } from '../access/access-event.ts';
import { formatAuditHead } from './digest.ts';
import type { AuditEntry, AuditHead } from './port.ts';

/** The part of an access that is stored as JSON text. */
export type AuditedAccess = Omit<AccessEvent, 'at' | 'by' | 'patientIds' | 'resources'> & {
  /** The versions that the answer contains of the chart of the patient, and of none. */
  readonly resources: readonly Omit<ReturnedResource, 'patientId'>[];
  /** The number of requests, if it was not one. */
  readonly requests?: number;
  /** The last of the events that this access removed from the log, as `formatAuditHead` returns it. */
  readonly expired?: string;
};

/** The most characters of a query. A longer one ends with an ellipsis. */
const maxQuery = 2000;

const shorten = (query: string): string =>
  query.length > maxQuery ? `${query.slice(0, maxQuery - 1)}…` : query;

/** A host may name a user by any text. PostgreSQL stores no U+0000, and no text stores half of a character. */
const storable = (text: string): string => text.toWellFormed().replaceAll(/\p{Cc}/gu, '');

/** The entry of an access that removes the events up to one of them. */
export const expiryEntryOf = (
  last: AuditHead,
  { at, by }: Pick<AuditEntry, 'at'> & { readonly by: string },
): AuditEntry => {
  const access: AuditedAccess = {
    ...{
      client: null,
      address: null,
      interaction: 'operation',
      resourceType: 'AuditEvent',
      id: null,
      query: '',
    },
    ...{ resources: [], outcome: 'success', rules: [], status: null, requestId: null },
    expired: formatAuditHead(last),
  };
  return { at, by: storable(by), patientId: null, access: JSON.stringify(access) };
};

/**
 * The entries of an access: one for each patient who was seen, with the resources of that patient. Resources that belong to
 * no patient are in the first. Source: IHE BALP, PatientQuery: "one AuditEvent is created for every Patient".
 */
export const auditEntriesOf = (event: AccessEvent): readonly AuditEntry[] => {
  const { at, by, patientIds, resources, ...rest } = event;
  const seen: readonly (string | null)[] = patientIds.length === 0 ? [null] : patientIds;
  const byPatient = Map.groupBy(resources, ({ patientId }) => patientId ?? seen[0] ?? null);
  return seen.map((patientId) => {
    const access: AuditedAccess = {
      ...rest,
      query: shorten(rest.query),
      resources: (byPatient.get(patientId) ?? []).map(({ type, id, version }) => ({ type, id, version })),
    };
    return { at, by: by === null ? null : storable(by), patientId, access: JSON.stringify(access) };
  });
};
