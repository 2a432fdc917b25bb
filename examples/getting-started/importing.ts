import { createReadStream } from 'node:fs';
import { type ClinicalRecords, type ImportReport, ndjson } from '@clinical-records/core';

// #region ndjson
async function* readFiles(paths: readonly string[]) {
  for (const path of paths) yield* ndjson(createReadStream(path), { file: path });
}

export const importFiles = async (
  records: ClinicalRecords,
  paths: readonly string[],
): Promise<ImportReport> =>
  records.importer.load(readFiles(paths), {
    onProgress: ({ read, imported }) => console.log(`${read} read, ${imported} imported`),
  });
// #endregion

export const importBundle = async (records: ClinicalRecords): Promise<ImportReport> => {
  const report = await records.importer.load([
    {
      resourceType: 'Bundle',
      type: 'collection',
      entry: [
        // Its patient comes later in the same load.
        {
          resource: {
            resourceType: 'Goal',
            id: 'walk',
            lifecycleStatus: 'on-hold',
            description: { text: 'Walk 5 km a day' },
            subject: { reference: 'Patient/eve' },
          },
        },
        {
          resource: {
            resourceType: 'Patient',
            id: 'eve',
            name: [{ family: 'Hill', given: ['Eve'] }],
          },
        },
        // The first is of an unknown patient, the second of a type that cannot be imported.
        {
          resource: {
            resourceType: 'Goal',
            id: 'swim',
            lifecycleStatus: 'active',
            description: { text: 'Swim' },
            subject: { reference: 'Patient/nobody' },
          },
        },
        { resource: { resourceType: 'Device', id: 'pacemaker' } },
      ],
    },
  ]);
  return report;
};
