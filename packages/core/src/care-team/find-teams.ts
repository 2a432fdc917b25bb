import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryFault } from '../directory/faults.ts';
import { inGroups } from '../directory/in-groups.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, type Result } from '../errors.ts';
import { createDraft } from '../records/draft.ts';
import { findIn } from '../records/json-reads.ts';
import { matches } from '../store/matches.ts';
import { pageOf } from '../store/page-of.ts';
import type { Match, Page } from '../store/port.ts';
import type { Query, SearchCondition } from '../store/query.ts';

/** The most patients whom one search asks the host for. */
const mostUnknown = 50;

/** The patients whose teams a search can find: those whom each of its conditions on patients names. */
const patientsSought = (conditions: readonly SearchCondition[]): readonly string[] => {
  const named = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return named.length === 0 ? [] : [...named.reduce((some, others) => some.intersection(others))];
};

/** A page of what is stored, with what stands behind it and is not stored yet. */
const pageWith = (stored: Page, behind: readonly Match[], query: Query): Page => {
  const { start } = query;
  const storedTotal = stored.total ?? 0;
  const reached =
    'after' in start
      ? behind.slice(behind.findIndex(({ id }) => id === start.after) + 1)
      : behind.slice(Math.max(0, start.offset - storedTotal));
  const page = pageOf([...stored.matches, ...(stored.hasMore ? [] : reached)], query);
  return {
    ...page,
    hasMore: stored.hasMore || page.hasMore,
    total: stored.total === null ? null : storedTotal + behind.length,
  };
};

/** Whether a team may come to be that is not stored yet: one of a patient whom the search names. */
export const mayComeToBe = (conditions: readonly SearchCondition[], id: string): boolean =>
  patientsSought(conditions).includes(id);

/**
 * Finds care teams. Every patient has one, and one whom only the host knows yet has an empty one: it is derived from what
 * the host answers, and found like those that are stored. A search writes nothing.
 */
export const findTeams = ({ store }: Environment, directory: DirectoryRecords) => {
  const findStored = findIn(store);

  /** The teams, among those that a query asks for, of patients who are not known yet. */
  const teamsToCome = async (query: Query, sought: readonly string[], unknown: readonly string[]) => {
    const draft = createDraft(store);
    const resolved = await inGroups((id: string) => directory.on(draft.store).known('Patient', id))(
      unknown,
    )();
    if (E.isLeft(resolved)) return resolved;
    const teams = draft.commit().changes.filter(matches(query));
    // In the order in which the search names their patients.
    const inOrder = teams.toSorted(
      (one, other) => sought.indexOf(one.patientId ?? '') - sought.indexOf(other.patientId ?? ''),
    );
    return E.right(
      inOrder.flatMap(({ id, resource }): readonly Match[] => (resource === null ? [] : [{ id, resource }])),
    );
  };

  const find = (query: Query): Result<Page> => {
    const sought = patientsSought(query.conditions);
    if (sought.length === 0) return findStored(query);
    return async () => {
      const unknown = await directory.unknown('Patient', sought)();
      if (E.isLeft(unknown)) return unknown;
      if (unknown.right.length === 0) return findStored(query)();
      if (unknown.right.length > mostUnknown) {
        return E.left(invalidRequest(directoryFault('too-many-unknown', 'http.patient')));
      }
      const toCome = await teamsToCome(query, sought, unknown.right);
      if (E.isLeft(toCome)) return toCome;
      const stored = await findStored(query)();
      if (E.isLeft(stored)) return stored;
      // One who came to be known in between would be counted twice.
      const stillUnknown = await directory.unknown('Patient', unknown.right)();
      if (E.isLeft(stillUnknown)) return stillUnknown;
      return stillUnknown.right.length === unknown.right.length
        ? E.right(pageWith(stored.right, toCome.right, query))
        : find(query)();
    };
  };
  return find;
};
