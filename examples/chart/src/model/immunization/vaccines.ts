import { startOf } from '../dates/dates.ts';
import { conceptName } from '../names.ts';
import type { Immunization } from '../resources.ts';

/** The doses of one vaccine, the latest first, and at the end those that were entered in error. */
export type VaccineGroup = {
  readonly code: string;
  readonly name: string;
  readonly doses: readonly Immunization[];
  /** Whether all doses were entered in error. */
  readonly isInError: boolean;
};

const codingOf = ({ vaccineCode }: Immunization) => vaccineCode.coding[0];

const isInError = ({ status }: Immunization): boolean => status === 'entered-in-error';

/** The doses by vaccine. The vaccine with the latest dose is first; one whose doses were all entered in error is last. */
export const groupByVaccine = (immunizations: readonly Immunization[]): readonly VaccineGroup[] => {
  const latestFirst = immunizations.toSorted(
    (a, b) =>
      Number(isInError(a)) - Number(isInError(b)) ||
      startOf(b.occurrenceDateTime) - startOf(a.occurrenceDateTime),
  );
  const groups = Map.groupBy(latestFirst, (one) => `${codingOf(one)?.system}|${codingOf(one)?.code}`);
  return [...groups].map(([code, doses]) => {
    return { code, name: conceptName(doses[0]?.vaccineCode), doses, isInError: doses.every(isInError) };
  });
};
