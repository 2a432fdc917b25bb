const simplify = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

/** Whether a text contains each word of another one, without regard to accents and case. */
export const hasWords = (text: string, words: string): boolean => {
  const searched = simplify(text);
  return simplify(words)
    .split(/\s+/)
    .every((word) => searched.includes(word));
};
