import { decisionSentences } from './sentences-of-decisions.ts';
import { interfaceSentences } from './sentences-of-interface.ts';

/** A sentence or a row of a table that a test proves; `section` is the title under which the test stands. */
export type Sentence = { readonly section: string; readonly sentence: string };

const inSections = (sections: Readonly<Record<string, readonly string[]>>): readonly Sentence[] =>
  Object.entries(sections).flatMap(([section, held]) => held.map((sentence) => ({ section, sentence })));

/** What the interface says, and what docs/decisions.md adds to it where it is silent. */
export const sentences: readonly Sentence[] = [
  ...inSections(interfaceSentences),
  ...inSections(decisionSentences),
];
