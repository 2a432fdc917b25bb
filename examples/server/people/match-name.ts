/** The words of a text without accents and in lower case, as a search compares them. */
const wordsOf = (text: string): readonly string[] =>
  text
    .normalize('NFD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .split(/[^\p{Letter}\p{Number}]+/u)
    .filter((word) => word !== '');

/**
 * Whether each word of a search begins a word of a name, such as `ros al` of "Alvarez Rosa". Source: FHIR R4, Search, 3.1.1.4.8,
 * whose rule is for each part of a name.
 */
export const matchesName = (name: string, searched: string): boolean => {
  const words = wordsOf(name);
  return searched
    .split(',')
    .some((alternative) =>
      wordsOf(alternative).every((searchedWord) => words.some((word) => word.startsWith(searchedWord))),
    );
};
