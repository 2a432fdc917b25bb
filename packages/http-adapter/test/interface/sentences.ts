import { decisionSentences } from './decision-sentences.ts';
import { interfaceSentences } from './interface-sentences.ts';

/** A sentence or a row of a table that a test proves; `section` is the title under which the test stands. */
export type Sentence = { readonly section: string; readonly sentence: string };

export const listSentences = (sections: Readonly<Record<string, readonly string[]>>): readonly Sentence[] =>
  Object.entries(sections).flatMap(([section, texts]) => texts.map((sentence) => ({ section, sentence })));

/** The sentences of the interface, and those that docs/decisions.md and docs/http-interface.md add where the interface is silent. */
export const sentences: readonly Sentence[] = [
  ...listSentences(interfaceSentences),
  ...listSentences(decisionSentences),
];
