import { type Concept, conceptName } from './names.ts';
import type { Allergy } from './resources.ts';

/** An allergy as the banner shows it. */
export type ListedAllergy = { readonly text: string; readonly isHighRisk: boolean };

const says = (concept: Concept | undefined, ...codes: readonly string[]): boolean =>
  concept?.coding?.some(({ code = '' }) => codes.includes(code)) ?? false;

/** Whether a code of SNOMED CT says that no allergy of any kind is known. */
const isNoneKnown = ({ code }: Allergy): boolean => says(code, '716186003');

/** One without a status may be a danger, so it counts as active. */
const isActive = ({ clinicalStatus }: Allergy): boolean => !says(clinicalStatus, 'inactive', 'resolved');

const risks: Readonly<Record<string, string>> = { high: 'high risk', low: 'low risk' };

/** The statuses that the banner names. Any other allergy is confirmed and active. */
const marks = ['unconfirmed', 'inactive', 'resolved'];

/**
 * The allergies in the banner: those that are a danger now and the greatest risks first. An allergy that was refuted or entered in
 * error is left out. One that is inactive or resolved is marked, so that nobody takes it for one that is not recorded. That none is
 * known is only said if it is recorded, and is not contradicted by an active allergy.
 */
export const listAllergies = (allergies: readonly Allergy[]): readonly ListedAllergy[] => {
  const counted = allergies.filter(
    ({ verificationStatus }) => !says(verificationStatus, 'entered-in-error', 'refuted'),
  );
  const isContradicted = counted.some((allergy) => isActive(allergy) && !isNoneKnown(allergy));
  const rankOf = (allergy: Allergy) => (isActive(allergy) ? 0 : 2) + (allergy.criticality === 'high' ? 0 : 1);
  const listed = counted
    .filter((allergy) => !isNoneKnown(allergy) || (isActive(allergy) && !isContradicted))
    .sort((a, b) => rankOf(a) - rankOf(b))
    .map((allergy) => {
      const { code, criticality = '', clinicalStatus, verificationStatus } = allergy;
      const facts = [
        risks[criticality] ?? [],
        marks.filter((mark) => says(verificationStatus, mark) || says(clinicalStatus, mark)),
      ].flat();
      return {
        text: (conceptName(code) || 'Without a name') + (facts.length > 0 ? ` (${facts.join(', ')})` : ''),
        isHighRisk: criticality === 'high' && isActive(allergy),
      };
    });
  return [...new Map(listed.map((one) => [one.text, one])).values()];
};
