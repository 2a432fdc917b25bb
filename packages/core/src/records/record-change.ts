import type { AuthorReference } from '../fhir/reference.ts';
import { exactVersion, noVersion } from '../store/expected-version.ts';
import type { RecordChange, VersionCheck } from '../store/port.ts';
import type { LoadedRecord } from './load.ts';
import type { RecordDefinition } from './record-definition.ts';

/** The author and the time of a change. */
export type Authorship = {
  /** In milliseconds since 1970 in UTC. */
  readonly at: number;
  /** Null if nobody was named. */
  readonly by: AuthorReference | null;
};

/** The parts of a record that derive from its state. */
export const deriveRecord = <State>(definition: RecordDefinition<State>, state: State) => {
  const derived = definition.derive(state);
  return {
    id: definition.id(state),
    patientId: definition.patientId(state),
    resource: derived && JSON.stringify(derived.resource),
    index: derived?.index ?? [],
  };
};

/** Returns the act with a date that is not before the last change of the record, even if the clock was set back since. */
export const ensureNotBackdated = <Act extends Authorship>(
  { stored }: LoadedRecord<unknown>,
  act: Act,
): Act => ({ ...act, at: stored === null ? act.at : Math.max(act.at, stored.at) });

/** Whether two states are stored as the same text. */
export const isSameState = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const expectUnchanged = ({ stored }: LoadedRecord<unknown>) =>
  stored === null ? noVersion : exactVersion(stored.version);

/** The change of a record to a new state, if it is unchanged since it was loaded. Throws if `by` is not well-formed text. */
export const createChange = <State>(
  definition: RecordDefinition<State>,
  loaded: LoadedRecord<State>,
  state: State,
  { at, by }: Authorship,
): RecordChange => {
  // A store would store a different text.
  if (by !== null && !(typeof by === 'string' && by.isWellFormed())) {
    throw new TypeError('`by` must be a string.');
  }
  return {
    ...deriveRecord(definition, state),
    type: definition.type,
    at,
    by,
    state: JSON.stringify(state),
    expects: expectUnchanged(loaded),
  };
};

/** The version check that a record is unchanged since it was loaded, though it is not written. */
export const createVersionCheck = (
  definition: RecordDefinition<never>,
  loaded: LoadedRecord<unknown>,
): VersionCheck => ({
  type: definition.type,
  id: loaded.id,
  expects: expectUnchanged(loaded),
});
