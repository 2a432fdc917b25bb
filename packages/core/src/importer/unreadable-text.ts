import { type ImportRule, importIssue } from './issues.ts';

type UnreadableTextRule = Extract<ImportRule, 'invalid-utf-8' | 'too-long' | 'damaged'>;

/** Replaces a text that could not be read in a load. The load reports it as an issue and continues. */
export type UnreadableText = {
  /** Always `UnreadableText`. */
  readonly _tag: 'UnreadableText';
  /** Why it could not be read: the rule of the issue. */
  readonly rule: UnreadableTextRule;
};

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

/** The issue of an item that could not be read; null for any other item. */
export const findUnreadableIssue = (item: unknown) =>
  typeof item === 'object' && item !== null && '_tag' in item && item._tag === 'UnreadableText'
    ? importIssue((item as UnreadableText).rule)
    : null;
