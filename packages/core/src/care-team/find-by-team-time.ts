import * as E from 'fp-ts/lib/Either.js';
import { tooCostly } from '../errors.ts';
import type { Find, FoundMatch } from '../records/find.ts';
import { searchIssue } from '../search/issues.ts';
import { maxCount, type PageOrigin } from '../search/paging.ts';
import { matches } from '../store/matches.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { SearchCondition } from '../store/query.ts';
import { takeMatches } from '../store/take-matches.ts';
import { withTeamVersions } from './team-versions.ts';

/** The most parts of teams of which one search reads the versions of their teams. */
const maxParts = 10_000;

/** Whether a search can find parts whose own versions are not those of their teams: parts that are not active. */
const findsOtherParts = (conditions: readonly SearchCondition[]): boolean =>
  !conditions.some(
    (condition) =>
      condition.on === 'token' &&
      condition.parameter === 'status' &&
      condition.anyOf.every(({ code }) => code === 'active'),
  );

export const asksForTime = (conditions: readonly SearchCondition[]): boolean =>
  conditions.some(({ on }) => on === 'at');

/**
 * Finds the parts of teams by the time of the last version of their teams, which a part that is not active does not have
 * itself. So the other conditions find the parts, and the times are compared once the versions of their teams are read.
 */
export const findByTeamTime =
  (store: ClinicalStore, findStored: Find): Find =>
  (query, origin) => {
    if (!findsOtherParts(query.conditions)) return findStored(query, origin);
    const timeConditions = query.conditions.filter(({ on }) => on === 'at');
    const conditions = query.conditions.filter(({ on }) => on !== 'at');
    const isInTime = (match: FoundMatch): boolean =>
      match.version !== null &&
      matches({ type: query.type, conditions: timeConditions })({
        ...{ type: query.type, id: match.id, patientId: null },
        ...{ at: match.at, index: [] },
      });
    const skipped = 'offset' in origin ? origin.offset : 0;
    const needed = query.withTotal ? Number.POSITIVE_INFINITY : skipped + query.count + 1;

    const findInTime = async (): ReturnType<Find> => {
      const found: FoundMatch[] = [];
      let parts = 0;
      let next: PageOrigin | null = 'offset' in origin ? { offset: 0 } : origin;
      while (next !== null && found.length < needed) {
        const candidates = { ...query, conditions, count: maxCount, withTotal: false };
        const page: Awaited<ReturnType<Find>> = await findStored(candidates, next);
        if (E.isLeft(page)) return page;
        const versions = await withTeamVersions(store, page.right.matches);
        if (E.isLeft(versions)) return versions;
        // A part has changed since it was found.
        if (versions.right === null) return findInTime();
        parts += page.right.matches.length;
        if (parts > maxParts) return E.left(tooCostly(searchIssue('too-costly')));
        found.push(...versions.right.filter(isInTime));
        next = page.right.end;
      }
      const { matches: shown, hasMore } = takeMatches(found.slice(skipped), query);
      const last = hasMore ? shown.at(-1) : undefined;
      return E.right({
        matches: shown,
        total: query.withTotal ? found.length : null,
        end: last === undefined ? null : { after: last.id },
      });
    };
    return findInTime();
  };
