import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import type { Environment } from '../environment.ts';
import { load, recordExists } from '../records/load.ts';
import { lookUpInGroups } from '../records/look-up-in-groups.ts';
import { createChange, ensureNotBackdated } from '../records/record-change.ts';
import type { ImmunizationRecord } from './model.ts';
import { defineImmunizationRecord } from './record-definition.ts';

const withEncounter = (record: ImmunizationRecord, encounterId: string): ImmunizationRecord => ({
  ...record,
  commands: record.commands.map((command) => ({ ...command, body: { ...command.body, encounterId } })),
});

/** Gives the encounter of a note to the immunizations in the note. One that was moved or erased is not in it any more. */
export const followNote = (
  environment: Pick<Environment, 'zone' | 'extensionBase'>,
): DirectoryFollower['onNote'] => {
  const definition = defineImmunizationRecord(environment);
  return async (store, { before, after }, at) => {
    const encounterId = after?.encounterId ?? null;
    if (before === null || encounterId === null) return E.right([]);
    const { id, immunizationIds = [] } = before;
    const read = (immunizationId: string) => load(store, definition, immunizationId);
    const loaded = await lookUpInGroups(read)(immunizationIds);
    if (E.isLeft(loaded)) return loaded;
    const inNote = loaded.right
      .filter(recordExists)
      .filter(({ state }) => state.commands.some(({ body }) => body.noteId === id));
    return E.right(
      inNote.map((record) => {
        const authorship = ensureNotBackdated(record, { at, by: null });
        return createChange(definition, record, withEncounter(record.state, encounterId), authorship);
      }),
    );
  };
};
