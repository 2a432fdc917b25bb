import type { RecordDefinition } from '../records/record-definition.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { ChartRecord, ChartResourceType } from './command.ts';

export type ChartRecordDefinition<Body> = RecordDefinition<ChartRecord<Body>> & {
  readonly type: ChartResourceType;
};

/**
 * Defines the records of the commands that one type of resource derives from. `derive` returns null while there is no resource
 * to read.
 */
export const defineChartRecord = <Body, Resource extends object>(
  type: ChartResourceType,
  derive: (record: ChartRecord<Body>) => Resource | null,
  indexResource: (resource: Resource) => readonly IndexEntry[] = () => [],
): ChartRecordDefinition<Body> => ({
  type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const resource = derive(record);
    return resource && { resource, index: indexResource(resource) };
  },
  // Not to practitioners: an import keeps the name of one who is not known.
  refersTo: ({ patientId }) => [{ type: 'Patient', id: patientId }],
});
