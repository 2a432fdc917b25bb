import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, type Outcome } from '../errors.ts';
import { commitAsOne } from '../records/buffered-store.ts';
import { createFind, type Find } from '../records/find.ts';
import { lookUpInGroups } from '../records/include.ts';
import { lacksProfile } from '../search/index-entries.ts';
import { searchIssue } from '../search/issues.ts';
import { presenceOf } from '../search/parameters.ts';
import type { SearchCondition } from '../store/query.ts';
import { addAbsentRoles, careTeamParameters } from './record.ts';

/** The patients whom each of the conditions on patients names. */
const requestedPatientIds = (conditions: readonly SearchCondition[]): readonly string[] => {
  const patientIdSets = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return patientIdSets.length === 0
    ? []
    : [...patientIdSets.reduce((some, patientIds) => some.intersection(patientIds))];
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

/** The failures of a store that can be read, but not written: its database is a standby or full, or only replicas answer. */
const unwritableRules: readonly string[] = ['store-not-writable', 'store-unavailable'];

const isUnwritable = ({ issues }: ClinicalError): boolean =>
  issues.some(({ rule }) => unwritableRules.includes(rule));

/**
 * Finds care teams. Every patient has one. Those whom a search names and only the host knows are stored before, as a read stores
 * them. Where nothing can be written, the teams are found that are stored.
 */
export const createFindTeams = ({ store, usCore }: Environment, directory: DirectoryRecords): Find => {
  const findStored = createFind(store);

  /** Stores the patients whom only the host knows, with their teams, in one commit, if anything can be written. */
  const storeUnknown = async (patientIds: readonly string[]): Outcome<unknown> => {
    const unknown = await directory.findUnknown('Patient', patientIds);
    if (E.isLeft(unknown) || unknown.right.length === 0) return unknown;
    if (unknown.right.length > maxUnknownPatients) {
      return E.left(invalidRequest(searchIssue('too-many-unknown', 'patient')));
    }
    const stored = await commitAsOne(store, (buffer) => {
      const buffered = directory.onStore(buffer);
      return lookUpInGroups((id: string) => buffered.find('Patient', id))(unknown.right);
    });
    return E.isLeft(stored) && isUnwritable(stored.left) ? E.right([]) : stored;
  };

  const find: Find = async (query, origin) => {
    const known = await storeUnknown(requestedPatientIds(query.conditions));
    return E.isLeft(known) ? known : findStored(query, origin);
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
