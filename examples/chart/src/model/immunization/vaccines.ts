import { startOf } from '../dates/dates.ts';
import { conceptName } from '../names.ts';
import type { Immunization } from '../resources.ts';

/** The doses of one vaccine, the latest first. */
export type VaccineGroup = {
  readonly code: string;
  readonly name: string;
  readonly doses: readonly Immunization[];
};

const codingOf = ({ vaccineCode }: Immunization) => vaccineCode.coding[0];

/** The doses by vaccine. The vaccine with the latest dose is first. */
export const groupByVaccine = (immunizations: readonly Immunization[]): readonly VaccineGroup[] => {
  const latestFirst = immunizations.toSorted(
    (a, b) => startOf(b.occurrenceDateTime) - startOf(a.occurrenceDateTime),
  );
  const groups = Map.groupBy(latestFirst, (one) => `${codingOf(one)?.system}|${codingOf(one)?.code}`);
  return [...groups].map(([code, doses]) => {
    return { code, name: conceptName(doses[0]?.vaccineCode), doses };
  });
};
