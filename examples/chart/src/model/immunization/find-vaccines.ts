import { hasWords } from '../search/word-search.ts';
import { tradeNames, vaccines } from './vaccine-codes.ts';

/** A vaccine of the list. */
export type ListedVaccine = {
  /** The code of CVX. */
  readonly code: string;
  readonly name: string;
  /** The names under which it is sold, and its code, such as `Adacel, Boostrix · CVX 115`. */
  readonly detail: string;
};

const listed: readonly ListedVaccine[] = Object.entries(vaccines)
  .map(([code, name]) => {
    const sold = tradeNames[code];
    return { code, name, detail: `${sold === undefined ? '' : `${sold} · `}CVX ${code}` };
  })
  .toSorted((a, b) => a.name.localeCompare(b.name));

/** The vaccines whose names or trade names contain each word of a text, or whose code of CVX it is. An empty text finds all. */
export const findVaccines = (text: string): readonly ListedVaccine[] => {
  const code = text.trim().replace(/^cvx\s*/i, '');
  const byCode = listed.filter((one) => one.code === code);
  const byWords = listed.filter(
    (one) => !byCode.includes(one) && hasWords(`${one.name} ${one.detail}`, text.trim()),
  );
  return [...byCode, ...byWords];
};

const simpleNameOf = (text: string): string => text.trim().toLowerCase();

/** The vaccine with a name; undefined for a name that is not in the list. */
export const vaccineNamed = (name: string): ListedVaccine | undefined =>
  listed.find((one) => simpleNameOf(one.name) === simpleNameOf(name));
