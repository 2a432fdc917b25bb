import { readFileSync } from 'node:fs';
import { isId } from '@clinical-records/core/adapter';
import type { GroupMembers } from '@clinical-records/http-adapter';
import * as z from 'zod';
import { CommandError, unreadableError } from '../command/command-error.ts';

const groups = z.record(z.string(), z.array(z.custom<string>(isId)));

const readGroups = (file: string): ReadonlyMap<string, readonly string[]> => {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw unreadableError(`the groups of ${file}`, cause);
  }
  try {
    return new Map(Object.entries(groups.parse(JSON.parse(text))));
  } catch {
    throw new CommandError(
      `the groups of ${file} are lists of ids of patients, by the id of the group: { "diabetes": ["7"] }`,
    );
  }
};

/** The groups of a file, which is read again for each export. Throws a `CommandError` if it is wrong at first. */
export const createGroupMembers = (file: string): GroupMembers => {
  readGroups(file);
  return (groupId) => readGroups(file).get(groupId) ?? null;
};
