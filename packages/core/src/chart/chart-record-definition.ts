import { replaceReference } from '../fhir/references.ts';
import { withProfile } from '../records/profile.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { ChartRecord, ChartResourceType } from './command.ts';

export type ChartRecordDefinition<Body> = RecordDefinition<ChartRecord<Body>> & {
  readonly type: ChartResourceType;
};

/**
 * Defines the records of the commands that one type of resource derives from. `derive` returns null while there is no resource
 * to read.
 */
export const defineChartRecord = <
  Body,
  Resource extends { readonly resourceType: string; readonly id: string },
>(
  facts: Pick<ResourceFacts<ChartResourceType, Resource>, 'type' | 'profile' | 'conforms'>,
  derive: (record: ChartRecord<Body>) => Resource | null,
  indexResource: (resource: Resource) => readonly IndexEntry[],
): ChartRecordDefinition<Body> => ({
  type: facts.type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const resource = derive(record);
    return resource && { resource: withProfile(facts, resource), index: indexResource(resource) };
  },
  withPatient: (record, from, to) => ({
    ...replaceReference(record, `Patient/${from}`, `Patient/${to}`),
    patientId: to,
  }),
  // Not to practitioners: an import keeps the name of one who is not known.
  refersTo: ({ patientId }) => [{ type: 'Patient', id: patientId }],
});
