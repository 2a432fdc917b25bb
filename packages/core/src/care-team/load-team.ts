import * as E from 'fp-ts/lib/Either.js';
import { type ParticipantStatus, teamId } from '../directory/team-id.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import { load, recordExists } from '../records/load.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { ActivePart, Participant, TeamPart } from './model.ts';
import type { NeededStatuses } from './needed-statuses.ts';
import type { LoadedTeam, TeamSnapshot } from './team-snapshot.ts';

type PartReader<Part> = (store: ClinicalStore, id: string) => Outcome<Part>;

const type = 'CareTeam';

const loadActive = (store: ClinicalStore, patientId: string) => load<ActivePart>(store, { type }, patientId);

const loadPart: PartReader<readonly Participant[]> = async (store, id) => {
  const part = await load<TeamPart>(store, { type }, id);
  return E.isLeft(part) ? part : E.right(part.right.state?.participants ?? []);
};

const readPartText: PartReader<string | null> = async (store, id) => {
  const found = await store.readResource({ type, id });
  return E.isLeft(found) ? E.left(toClinicalError(found.left)) : E.right(found.right?.resource ?? null);
};

const readParts = async <Part>(
  store: ClinicalStore,
  { patientId, statuses }: { readonly patientId: string; readonly statuses: readonly ParticipantStatus[] },
  readPart: PartReader<Part>,
): Outcome<ReadonlyMap<ParticipantStatus, Part>> => {
  const parts = new Map<ParticipantStatus, Part>();
  for (const status of statuses) {
    const part = await readPart(store, teamId(patientId, status));
    if (E.isLeft(part)) return part;
    parts.set(status, part.right);
  }
  return E.right(parts);
};

/**
 * Reads a team; null if there is none. Every change of a part also writes the active part. If the active part has the same
 * version before and after, all parts read in between are of one moment. Otherwise all parts are read again.
 */
const readTeam = async <Part>(
  store: ClinicalStore,
  { patientId, needed }: { readonly patientId: string; readonly needed: NeededStatuses },
  readPart: PartReader<Part>,
): Outcome<TeamSnapshot<Part> | null> => {
  let active = await loadActive(store, patientId);
  for (;;) {
    if (E.isLeft(active)) return active;
    const existing = active.right;
    if (!recordExists(existing)) return E.right(null);
    const neededStatuses = new Set(needed(existing.state));
    const statuses = existing.state.otherStatuses.filter((status) => neededStatuses.has(status));
    const parts = await readParts(store, { patientId, statuses }, readPart);
    if (E.isLeft(parts)) return parts;
    const after = statuses.length === 0 ? active : await loadActive(store, patientId);
    if (E.isRight(after) && after.right.stored?.version === existing.stored.version)
      return E.right({ active: existing, parts: parts.right });
    active = after;
  }
};

/** Reads the participants of a team that a decision needs. */
export const loadTeam = (
  store: ClinicalStore,
  patientId: string,
  needed: NeededStatuses,
): Outcome<LoadedTeam | null> => readTeam(store, { patientId, needed }, loadPart);

/** Reads the active part of a team, and the text of the resource of one status. */
export const readTeamText = (
  store: ClinicalStore,
  patientId: string,
  status: ParticipantStatus,
): Outcome<TeamSnapshot<string | null> | null> =>
  readTeam(store, { patientId, needed: () => [status] }, readPartText);

/** Reads the participants of some more statuses of a team. */
export const loadMoreStatuses = async (
  store: ClinicalStore,
  loaded: LoadedTeam,
  statuses: readonly ParticipantStatus[],
): Outcome<LoadedTeam> => {
  const added = await readParts(store, { patientId: loaded.active.id, statuses }, loadPart);
  return E.isLeft(added) ? added : E.right({ ...loaded, parts: new Map([...loaded.parts, ...added.right]) });
};
