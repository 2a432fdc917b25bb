import type { MergePreview } from '@clinical-records/client';
import { listedName, spokenName } from './names.ts';
import type { Patient } from './resources.ts';

/** Elements in the words of the chart. */
const elementWords: Readonly<Record<string, string>> = {
  encounter: 'the encounter',
  reasonReference: 'the reasons',
  reasonCode: 'the reasons',
  addresses: 'what the goal is about',
  note: 'who wrote the notes',
  performer: 'the performer',
  reaction: 'the observation of a reaction',
  basedOn: 'what it is based on',
  supportingInfo: 'further information',
  insurance: 'the insurance',
  specimen: 'the specimen',
  relevantHistory: 'its history elsewhere',
};

/** The elements that a record loses in another chart, in words. */
export const leftBehind = (elements: readonly string[]): string =>
  [...new Set(elements.map((element) => elementWords[element] ?? `“${element}”`))].join(', ');

const typeWords: Readonly<Record<string, readonly [one: string, many: string]>> = {
  ServiceRequest: ['order', 'orders'],
  Goal: ['goal', 'goals'],
  Immunization: ['immunization', 'immunizations'],
  AllergyIntolerance: ['allergy', 'allergies'],
};

const counted = (count: number, [one, many]: readonly [string, string]): string =>
  `${count} ${count === 1 ? one : many}`;

/** The content of a merge in words, such as `3 orders, 1 goal and 2 members of the care team`. */
export const countsInWords = ({ counts, staged, participants }: MergePreview): string => {
  const parts = [
    ...Object.entries(counts).map(([type, count]) =>
      counted(count, typeWords[type] ?? [`record of the type ${type}`, `records of the type ${type}`]),
    ),
    ...(staged > 0 ? [counted(staged, ['draft', 'drafts'])] : []),
    ...(participants > 0
      ? [counted(participants, ['member of the care team', 'members of the care team'])]
      : []),
  ];
  if (parts.length === 0) return 'no records';
  const [last = '', ...others] = parts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
};

const plain = (text: string): string =>
  text
    .normalize('NFD')
    .replaceAll(/[\p{M}\p{P}]/gu, '')
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ');

/** Whether a name that was typed is that of a patient: its words in any order, without regard to case and accents. */
export const isSameName = (typed: string, { name }: Pick<Patient, 'name'>): boolean =>
  typed.trim() !== '' && [listedName(name), spokenName(name)].some((known) => plain(known) === plain(typed));
