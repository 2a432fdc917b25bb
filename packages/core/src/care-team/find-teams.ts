import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { directoryIssue } from '../directory/issues.ts';
import { lookUpInGroups } from '../directory/look-up-in-groups.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalTask, invalidRequest } from '../errors.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import { createFind } from '../records/json-reads.ts';
import { matches } from '../store/matches.ts';
import type { SearchMatch, SearchPage } from '../store/port.ts';
import type { SearchCondition, SearchQuery } from '../store/query.ts';
import { takeMatches } from '../store/take-matches.ts';

/** The most patients whom one search asks the host for. */
const maxUnknownPatients = 50;

/** The patients whose teams a search can find: those whom each of its conditions on patients names. */
const requestedPatientIds = (conditions: readonly SearchCondition[]): readonly string[] => {
  const patientIdSets = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return patientIdSets.length === 0
    ? []
    : [...patientIdSets.reduce((some, others) => some.intersection(others))];
};

/** A page of what is stored, with what stands behind it and is not stored yet. */
const appendUnstored = (
  stored: SearchPage,
  unstored: readonly SearchMatch[],
  query: SearchQuery,
): SearchPage => {
  const { start } = query;
  const storedTotal = stored.total ?? 0;
  const shownUnstored =
    'after' in start
      ? unstored.slice(unstored.findIndex(({ id }) => id === start.after) + 1)
      : unstored.slice(Math.max(0, start.offset - storedTotal));
  const page = takeMatches([...stored.matches, ...(stored.hasMore ? [] : shownUnstored)], query);
  return {
    ...page,
    hasMore: stored.hasMore || page.hasMore,
    total: stored.total === null ? null : storedTotal + unstored.length,
  };
};

/** Whether a search can find a team that is not stored yet: the team of a patient whom the search names. */
export const canFindUnstored = (conditions: readonly SearchCondition[], id: string): boolean =>
  requestedPatientIds(conditions).includes(id);

/**
 * Finds care teams. Every patient has one. A patient whom only the host knows has an empty team, derived from the host's entry.
 * The search finds it like a stored team, and writes nothing.
 */
export const findTeams = ({ store }: Environment, directory: DirectoryRecords) => {
  const findStored = createFind(store);

  /** The teams, among those that a query asks for, of patients who are not known yet. */
  const deriveUnstoredTeams = async (
    query: SearchQuery,
    patientIds: readonly string[],
    unknown: readonly string[],
  ) => {
    const buffer = createBufferedStore(store);
    const resolved = await lookUpInGroups((id: string) =>
      directory.onStore(buffer.store).find('Patient', id),
    )(unknown)();
    if (E.isLeft(resolved)) return resolved;
    const teams = buffer.toCommit().changes.filter(matches(query));
    // In the order in which the search names their patients.
    const inOrder = teams.toSorted(
      (one, other) => patientIds.indexOf(one.patientId ?? '') - patientIds.indexOf(other.patientId ?? ''),
    );
    return E.right(
      inOrder.flatMap(({ id, resource }): readonly SearchMatch[] =>
        resource === null ? [] : [{ id, resource }],
      ),
    );
  };

  const find = (query: SearchQuery): ClinicalTask<SearchPage> => {
    const patientIds = requestedPatientIds(query.conditions);
    if (patientIds.length === 0) return findStored(query);
    return async () => {
      const unknown = await directory.findUnknown('Patient', patientIds)();
      if (E.isLeft(unknown)) return unknown;
      if (unknown.right.length === 0) return findStored(query)();
      if (unknown.right.length > maxUnknownPatients) {
        return E.left(invalidRequest(directoryIssue('too-many-unknown', 'http.patient')));
      }
      const unstored = await deriveUnstoredTeams(query, patientIds, unknown.right);
      if (E.isLeft(unstored)) return unstored;
      const stored = await findStored(query)();
      if (E.isLeft(stored)) return stored;
      // A patient who was stored in between would be counted twice.
      const stillUnknown = await directory.findUnknown('Patient', unknown.right)();
      if (E.isLeft(stillUnknown)) return stillUnknown;
      return stillUnknown.right.length === unknown.right.length
        ? E.right(appendUnstored(stored.right, unstored.right, query))
        : find(query)();
    };
  };
  return find;
};
