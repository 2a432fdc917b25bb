import type { ClinicalRecords, ServedResource, ServedType } from '@clinical-records/core';
import type { Eithers } from '@clinical-records/core/fp-ts';

/** The records, whose functions return their errors. */
export type ServedRecords = Eithers<Omit<ClinicalRecords, 'in' | 'access'>>;

/** The reads of a type of resource as JSON texts, and its writes if it has any. */
export type JsonService<Records extends ServedRecords | ClinicalRecords> =
  Records['serviceRequests']['asJson'] &
    Partial<Pick<Records['immunizations']['asJson'], 'create' | 'update'>>;

/** The service of a type of resource that the records have. */
export const jsonServiceOf = <Records extends ServedRecords | ClinicalRecords>(
  records: Records,
  { name }: ServedResource,
): JsonService<Records> =>
  (records as unknown as Readonly<Record<string, { readonly asJson: JsonService<Records> }>>)[name]
    ?.asJson as JsonService<Records>;

/** The types of the resources that the records serve. */
export const servedTypesOf = ({ resources }: Pick<ClinicalRecords, 'resources'>): readonly ServedType[] => [
  ...resources.map(({ type }) => type),
  'Provenance',
];

/**
 * The records as they are served: without the types that they only import and the host serves. So a host that serves, say,
 * its conditions goes on to do so once the records have conditions, too.
 */
export const withoutHostTypes = (records: ClinicalRecords, hostTypes: readonly string[]): ClinicalRecords => {
  const resources = records.resources.filter(
    ({ type, isOnlyImported }) => !(isOnlyImported && hostTypes.includes(type)),
  );
  if (resources.length === records.resources.length) return records;
  const types: readonly string[] = servedTypesOf({ resources });
  return {
    ...records,
    resources,
    describe: () => {
      const description = records.describe();
      const described = Object.entries(description.resources).filter(([type]) => types.includes(type));
      return { ...description, resources: Object.fromEntries(described) as typeof description.resources };
    },
  };
};
