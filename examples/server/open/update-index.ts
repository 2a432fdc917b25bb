import type { AnyClinicalRecords } from '@clinical-records/core';

/** After so many records, a line is printed. */
const recordsPerLine = 50_000;

/** Updates the search index of records that an older version has written, and shows how far it is. */
export const updateIndex = async (
  records: AnyClinicalRecords,
  write: (text: string) => unknown,
): Promise<void> => {
  // A new file has none.
  let next = 1;
  const { records: all, reindexed } = await records.reindex({
    onProgress: ({ records: looked }) => {
      if (looked < next) return;
      next = looked + recordsPerLine;
      write(`Updating the search index: ${looked} records\n`);
    },
  });
  if (all > 0) write(`Updated the search index: ${reindexed} of ${all} records\n`);
};
