import { listedName } from './names.ts';
import type { Patient } from './resources.ts';

const lettersOf = (text: string): string =>
  text
    .normalize('NFD')
    .replace(/[^\p{L}\s]/gu, '')
    .toLowerCase();

/** The number of letters by which two words differ: replaced, left out or added. */
const distanceOf = (one: string, other: string): number => {
  let before = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...one].entries()) {
    const now = [row + 1];
    for (const [column, otherLetter] of [...other].entries()) {
      const replaced = (before[column] ?? 0) + (letter === otherLetter ? 0 : 1);
      now.push(Math.min(replaced, (before[column + 1] ?? 0) + 1, (now[column] ?? 0) + 1));
    }
    before = now;
  }
  return before.at(-1) ?? 0;
};

/** The words of a name in the order of the alphabet: which of them is the family name is often exchanged. */
const wordsOf = ({ name }: Patient): string => lettersOf(listedName(name)).split(/\s+/).toSorted().join(' ');

/** A name of this many letters for each that differs is still similar. */
const lettersForEach = 5;

/** Whether two patients may be mistaken for each other: of one birth date, with names that differ by a few letters. */
export const isSimilar = (one: Patient, other: Patient): boolean => {
  if (one.id === other.id || one.birthDate === undefined || one.birthDate !== other.birthDate) return false;
  const [name, otherName] = [wordsOf(one), wordsOf(other)];
  const most = Math.min(3, Math.floor(Math.max(name.length, otherName.length) / lettersForEach));
  return distanceOf(name, otherName) <= most;
};
