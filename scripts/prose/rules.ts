/** What is not written here, and what to write in its place. */
const bannedPhrases: readonly (readonly [phrase: RegExp, advice: string])[] = [
  [/(?<!\bthere )\b(?:is|are|was|were) no(?! (?:longer|more|one|other|need)\b)\b/i, 'write "is not a …"'],
  [/\banew\b/i, 'write "again"'],
  [/\b(?:comes?|came) to(?! an end\b)\b/i, 'say what it results in, or derives to'],
  [/\b(?:stands?|stood) in\b/i, 'write "is in"'],
  [/\b(?:lies|lie|lay) (?:in|beside|on)\b/i, 'write "is in"'],
  [/\b(?:takes?|took) in\b/i, 'write "accepts"'],
  [/\bis here already\b/i, 'write "already exists"'],
  [/\banswers? (?:a|an|the|what|whether)\b/i, 'write "returns"'],
  [/\bamiss\b/i, 'write "issue"'],
  [/\b(?:of|by|to|for) those (?:that|who|which)\b/i, 'name the subject'],
  [/^(?:Who|Whoever|Whom|Whose)\b(?!.*\?$)/, 'name the subject: "A caller that …"'],
  [/^What\b(?!.*\?$)/, 'name the subject: "The value that …"'],
  [/\bnobody knows\b/i, 'say which state it is'],
];

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });

const beginning = (sentence: string): string =>
  sentence.length > 60 ? `${sentence.slice(0, 60)}…` : sentence;

/** The banned phrases in a text, each with what to write in its place. */
export const faultsOfProse = (text: string): readonly string[] =>
  [...sentences.segment(text)].flatMap(({ segment }) => {
    const sentence = segment.trim();
    return bannedPhrases.flatMap(([phrase, advice]) => {
      const match = phrase.exec(sentence);
      return match === null ? [] : [`"${match[0]}" (${advice}): ${beginning(sentence)}`];
    });
  });
