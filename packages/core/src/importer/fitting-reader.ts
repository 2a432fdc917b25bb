import * as E from 'fp-ts/lib/Either.js';
import type { CommandState } from '../chart/command.ts';
import { excessOf, recordFullIssue } from '../chart/command-records.ts';
import { type Issue, ruleViolation } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import { leftOutIssue } from '../fhir/issues.ts';
import { isObject } from '../fhir/schema.ts';
import {
  createCommonReader,
  type FieldReader,
  type SentResource,
  type SourceReader,
} from '../fhir/source-resource.ts';
import { bytesOf } from '../store/versions.ts';

/** A resource that becomes one command, or several if each of its notes has one of its own. */
export type ReadResource =
  | { readonly command: unknown }
  | { readonly commands: readonly CommandState<unknown>[] };

/** The parts of a resource: those of its type, and those that resources of every type have. */
export type WholeReading<Read> = { readonly sent: Read; readonly common: CommonElements | undefined };

const notesOf = ({ note }: SentResource): readonly unknown[] => (Array.isArray(note) ? note : []);

/** How many of the last notes to leave out: one at least, and as many as have about the excess. */
const countExcessNotes = (notes: readonly unknown[], excess: ReturnType<typeof excessOf>): number => {
  let count = Math.max(1, excess.commands);
  let bytes = 0;
  for (const [index, note] of notes.toReversed().entries()) {
    if (bytes >= excess.bytes) break;
    bytes += isObject(note) && typeof note.text === 'string' ? bytesOf(note.text) : 0;
    count = Math.max(count, index + 1);
  }
  return count;
};

/**
 * Creates a reader of as much of a resource as a record can hold. It leaves out its last notes, and reports them. A resource that is
 * too large without notes is refused.
 */
export const createFittingReader = <Read extends ReadResource>(
  read: SourceReader<Read>,
  type: string,
  readFields: FieldReader | undefined,
): SourceReader<WholeReading<Read>> => {
  const readCommon = createCommonReader(type, readFields);
  return (resource) => {
    const notes = notesOf(resource as SentResource);
    for (let kept = notes.length; ; ) {
      const fitting =
        kept === notes.length ? resource : { ...(resource as object), note: notes.slice(0, kept) };
      const reading = read(fitting);
      if (E.isLeft(reading)) return reading;
      const { value: sent, issues } = reading.right;
      const { value: common, issues: commonIssues } = readCommon(resource as SentResource);
      const commands = 'commands' in sent ? sent.commands : [sent.command];
      const excess = excessOf({ common, commands: commands as readonly CommandState<unknown>[] });
      if (excess.commands <= 0 && excess.bytes <= 0) {
        const leftOut = notes
          .slice(kept)
          .map((_, index): Issue => leftOutIssue(`${type}.note[${kept + index}]`));
        return E.right({ value: { sent, common }, issues: [...issues, ...commonIssues, ...leftOut] });
      }
      if (kept === 0) return E.left(ruleViolation(recordFullIssue));
      kept = Math.max(0, kept - countExcessNotes(notes.slice(0, kept), excess));
    }
  };
};
