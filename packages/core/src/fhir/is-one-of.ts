export const isOneOf =
  <Text extends string>(texts: readonly Text[]) =>
  (text: unknown): text is Text =>
    (texts as readonly unknown[]).includes(text);
