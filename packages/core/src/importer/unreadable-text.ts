import { type ImportRule, importIssue } from './issues.ts';

type UnreadableTextRule = Extract<ImportRule, 'invalid-utf-8' | 'too-long' | 'damaged'>;

/** Stands in a load for a text that could not be read. It is reported as a problem, and the load goes on. */
export type UnreadableText = { readonly _tag: 'UnreadableText'; readonly rule: UnreadableTextRule };

/**
 * A text that is not valid UTF-8 (`invalid-utf-8`), is longer than can be read (`too-long`), or was compressed and is `damaged`.
 *
 * @example
 * await records.importer.load([unreadableText('too-long'), ...others]);
 */
export const unreadableText = (rule: UnreadableTextRule): UnreadableText => ({
  _tag: 'UnreadableText',
  rule,
});

/** What is wrong with an item that could not be read; null of any other. */
export const findUnreadableIssue = (item: unknown) =>
  typeof item === 'object' && item !== null && '_tag' in item && item._tag === 'UnreadableText'
    ? importIssue((item as UnreadableText).rule)
    : null;
