import type { AnyClinicalRecords, Discrepancy, Verification } from '@clinical-records/core';

const discrepancySentences: Readonly<Record<Discrepancy['what'], string>> = {
  digest: 'it was changed or moved, or a version before it is missing',
  erasure: 'its content was erased, and no correction says so',
  position: 'its position is that of one before it',
  order: 'it does not stand where it was created',
  state: 'nothing derives from its state',
  id: 'the id is not what derives from its state',
  patientId: 'the patientId is not what derives from its state',
  resource: 'the resource is not what derives from its state',
  index: 'the index is not what derives from its state',
  lookup: 'a read by its id does not return it: an index of the database is damaged',
  reference: 'it refers to a record that does not exist',
  team: 'a member stands twice in the care team',
};

const sentenceOf = ({ type, id, version, what }: Discrepancy): string =>
  `${type}/${id}, version ${version}: ${discrepancySentences[what]}`;

export const formatList = (title: string, lines: readonly string[]): readonly string[] => [
  `${title}: ${lines.length === 0 ? 'none' : lines.length}`,
  ...lines.map((line) => `  ${line}`),
];

/**
 * Verifies records, and prints the issues and the head to keep. Returns what was verified; null if there are issues. The
 * head of an earlier check shows whether the newest versions were cut off since.
 */
export const printVerification = async (
  records: AnyClinicalRecords,
  keptHead: string | undefined,
): Promise<Verification | null> => {
  const verification = await records.verify({ head: keptHead });
  const found = [
    ...(verification.isHeadMissing ? ['the head that was given is not in the data'] : []),
    ...verification.discrepancies.map(sentenceOf),
    ...verification.miscounted.map((type) => `${type}: a search reports another total than there are`),
  ];
  const { records: count, versions, head, outdatedParameters, undefinedTypes } = verification;
  const undefinedCounts = Object.entries(undefinedTypes).map(([type, records]) => `${records} of ${type}`);
  console.log(
    [
      ...formatList('discrepancies', found),
      `records: ${count}`,
      `versions: ${versions}`,
      `head: ${head}`,
      ...(outdatedParameters.length > 0
        ? [`index: not compared for ${outdatedParameters.join(', ')}; the next start updates it`]
        : []),
      ...(undefinedCounts.length > 0 ? [`not defined here: ${undefinedCounts.join(', ')}`] : []),
    ].join('\n'),
  );
  return found.length === 0 ? verification : null;
};
