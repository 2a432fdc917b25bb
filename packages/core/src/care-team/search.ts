import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, type Outcome } from '../errors.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import {
  createFind,
  type Find,
  type FindQuery,
  type FoundMatch,
  type FoundPage,
  repeatWhileChanging,
} from '../records/find.ts';
import { lookUpInGroups } from '../records/include.ts';
import { lacksProfile } from '../search/index-entries.ts';
import { searchIssue } from '../search/issues.ts';
import { mergeConditions } from '../search/merge-conditions.ts';
import type { PageOrigin } from '../search/paging.ts';
import { presenceOf } from '../search/parameters.ts';
import { matches, takeMatches } from '../store/matches.ts';
import type { SearchCondition } from '../store/query.ts';
import { addAbsentRoles, careTeamParameters } from './record.ts';

/** The patients whose teams a search can find: those whom each of its conditions on patients names. */
const requestedPatientIds = (conditions: readonly SearchCondition[]): readonly string[] => {
  const patientIdSets = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return patientIdSets.length === 0
    ? []
    : [...patientIdSets.reduce((some, patientIds) => some.intersection(patientIds))];
};

/** Whether a search can find a team that is not stored yet: the team of a patient whom the search names. */
export const canFindUnstored = (conditions: readonly SearchCondition[], id: string): boolean =>
  requestedPatientIds(conditions).includes(id);

/**
 * The same search, without the patients named up to the last one whose team was shown before it was stored. Some of them may
 * be stored by now, after the last stored team that was shown.
 */
const omitShownPatients = (query: FindQuery, origin: PageOrigin): FindQuery => {
  if (!('after' in origin) || origin.afterUnstored === undefined) return query;
  const patientIds = requestedPatientIds(query.conditions);
  const anyOf = patientIds.slice(patientIds.indexOf(origin.afterUnstored) + 1);
  return { ...query, conditions: mergeConditions([...query.conditions, { on: 'patient', anyOf }]) };
};

/** The condition on the teams that are found under US Core: each conforms to its profile, once absent roles are added. */
const onShownTeams = (condition: SearchCondition): readonly SearchCondition[] => {
  const positive = condition.on === 'not' ? condition.condition : condition;
  const isOnProfile = positive.on === 'token' && positive.parameter === lacksProfile.parameter;
  if (!isOnProfile) return [condition];
  return condition.on === 'not' ? [] : [{ on: 'id', anyOf: [] }];
};

const withParticipants = presenceOf('participant', careTeamParameters.participant);

/** The most patients whom one search asks the host for. */
const maxUnknownPatients = 50;

/** Adds the teams that are not stored yet to a page of the stored ones. `lastStored` is the last one up to its end. */
const appendUnstored = (
  stored: FoundPage,
  unstored: readonly FoundMatch[],
  { query, origin, lastStored }: { query: FindQuery; origin: PageOrigin; lastStored: string | null },
): FoundPage => {
  const storedTotal = stored.total ?? 0;
  const skipped = 'offset' in origin ? Math.max(0, origin.offset - storedTotal) : 0;
  const following = stored.end === null ? unstored.slice(skipped) : [];
  const page = takeMatches([...stored.matches, ...following], query);
  const last = page.matches.at(-1);
  const shownBefore = 'after' in origin ? origin.afterUnstored : undefined;
  const afterUnstored = page.matches.length > stored.matches.length ? last?.id : shownBefore;
  const isAll = last === undefined || (stored.end === null && !page.hasMore);
  return {
    matches: page.matches,
    end: isAll ? null : { after: lastStored, ...(afterUnstored !== undefined && { afterUnstored }) },
    total: stored.total === null ? null : storedTotal + unstored.length,
  };
};

/**
 * Finds care teams. Every patient has one. A patient whom only the host knows has an empty team, derived from the host's entry.
 * The search finds it like a stored team, and writes nothing.
 */
export const createFindTeams = ({ store, usCore }: Environment, directory: DirectoryRecords): Find => {
  const findStored = createFind(store);

  /** The teams, among those that a query asks for, of patients who are not known yet. */
  const deriveUnstoredTeams = async (query: FindQuery, unknown: readonly string[]) => {
    const buffer = createBufferedStore(store);
    const resolved = await lookUpInGroups((id: string) =>
      directory.onStore(buffer.store).find('Patient', id),
    )(unknown);
    if (E.isLeft(resolved)) return resolved;
    const teams = buffer.toCommit().changes.filter(matches(query));
    // In the order in which the search names their patients.
    const inOrder = teams.toSorted(
      (left, right) => unknown.indexOf(left.patientId ?? '') - unknown.indexOf(right.patientId ?? ''),
    );
    return E.right(
      inOrder.flatMap(({ id, resource }): readonly FoundMatch[] =>
        resource === null ? [] : [{ id, resource, version: null }],
      ),
    );
  };

  /** Finds the last stored team up to the end of a page, which may begin after all of them. */
  const findLastStored = async (
    query: FindQuery,
    origin: PageOrigin,
    { matches: heads, total }: FoundPage,
  ): Outcome<string | null> => {
    const last = heads.at(-1);
    if (last !== undefined) return E.right(last.id);
    if ('after' in origin) return E.right(origin.after);
    if (total === null || total === 0) return E.right(null);
    const before = await findStored({ ...query, count: 1, withTotal: false }, { offset: total - 1 });
    return E.isLeft(before) ? before : E.right(before.right.matches.at(-1)?.id ?? null);
  };

  const find: Find = async (search, origin) => {
    // A team that is not stored has no version, and so no time of it.
    const asksForTime = search.conditions.some(({ on }) => on === 'at');
    if (asksForTime || requestedPatientIds(search.conditions).length === 0) {
      return findStored(search, origin);
    }
    const query = omitShownPatients(search, origin);
    /** A page, or null if a patient was stored in between, who would be counted twice. */
    const findPage = async (): Outcome<FoundPage | null> => {
      const patientIds = requestedPatientIds(query.conditions);
      const unknown = await directory.findUnknown('Patient', patientIds);
      if (E.isLeft(unknown)) return unknown;
      if (unknown.right.length === 0 && query === search) return findStored(query, origin);
      if (unknown.right.length > maxUnknownPatients) {
        return E.left(invalidRequest(searchIssue('too-many-unknown', 'patient')));
      }
      const unstored = await deriveUnstoredTeams(query, unknown.right);
      if (E.isLeft(unstored)) return unstored;
      const stored = await findStored(query, origin);
      if (E.isLeft(stored)) return stored;
      const lastStored = await findLastStored(query, origin, stored.right);
      if (E.isLeft(lastStored)) return lastStored;
      const stillUnknown = await directory.findUnknown('Patient', unknown.right);
      if (E.isLeft(stillUnknown)) return stillUnknown;
      return stillUnknown.right.length === unknown.right.length
        ? E.right(
            appendUnstored(stored.right, unstored.right, { query, origin, lastStored: lastStored.right }),
          )
        : E.right(null);
    };
    const page = await repeatWhileChanging(findPage);
    if (query === search || !search.withTotal || E.isLeft(page)) return page;
    // The page is one of the teams of some patients, and the total that of all.
    const all = await find({ ...search, count: 0 }, { offset: 0 });
    return E.isLeft(all) ? all : E.right({ ...page.right, total: all.right.total });
  };

  /** A team without participants does not conform to US Core, nor does a participant without a role. */
  const findConforming: Find = async (query, origin) => {
    const conditions = [...query.conditions.flatMap(onShownTeams), ...withParticipants];
    const page = await find({ ...query, conditions }, origin);
    if (E.isLeft(page)) return page;
    const matches = page.right.matches.map((match) => ({
      ...match,
      resource: addAbsentRoles(match),
    }));
    return E.right({ ...page.right, matches });
  };
  return usCore ? findConforming : find;
};
