import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Following, NamedEntry } from '../directory/directory.ts';
import type { DirectoryEntry } from '../directory/model.ts';
import { asFailure, type Result } from '../errors.ts';
import { idIn } from '../fhir/reference.ts';
import { load } from '../records/load.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { ClinicalStore, Match } from '../store/port.ts';
import { type CareTeam, isSameMember, type Participant, type Team, type TeamRecord } from './model.ts';
import { teamChanges } from './record.ts';

/** The name under which a member shows in care teams. */
export const displayOf = (entry: DirectoryEntry['Practitioner'] | DirectoryEntry['Organization']): string =>
  'name' in entry ? entry.name : [entry.firstName, entry.lastName].filter((name) => name !== '').join(' ');

/** The team, or the beginning of one, with the names that the directory has learnt. */
const renamed = (team: Team | null, named: NamedEntry): Team | null => {
  if (named.type === 'Patient') return { patient: named.entry, participants: team?.participants ?? [] };
  const member = { type: named.type, id: named.entry.id, display: displayOf(named.entry) };
  const withName = (one: Participant) => (isSameMember(one.member, member) ? { ...one, member } : one);
  return team && { ...team, participants: team.participants.map(withName) };
};

/** The patients of all teams in which a member takes part, in whatever status. */
const patientsOf =
  (store: ClinicalStore, { type, entry: { id } }: NamedEntry): Result<readonly string[]> =>
  async () => {
    const condition = { on: 'reference' as const, parameter: 'participant', anyOf: [{ type, id }] };
    const patients = new Set<string>();
    const count = 500;
    let page: readonly Match[];
    let after = 0;
    do {
      const found = await store.search({
        type: 'CareTeam',
        conditions: [condition],
        start: { after },
        count,
      })();
      if (E.isLeft(found)) return E.left(asFailure(found.left));
      page = found.right.matches;
      for (const { resource } of page) patients.add(idIn((JSON.parse(resource) as CareTeam).subject));
      after = page.at(-1)?.position ?? after;
    } while (page.length > 0);
    return E.right([...patients]);
  };

/** The changes of care teams that follow from an entry of the directory: a new patient's team, and names anew. */
export const followNames =
  (store: ClinicalStore, kind: RecordKind<TeamRecord>): Following =>
  (named, at) =>
    pipe(
      named.type === 'Patient' ? TE.right([named.entry.id]) : patientsOf(store, named),
      TE.flatMap(TE.traverseArray((patientId) => load(store)(kind, patientId))),
      TE.map((teams) =>
        teams.flatMap((loaded) => {
          const next = renamed(loaded.state, named);
          return next === null ? [] : teamChanges(kind)(loaded, next, { at, by: null });
        }),
      ),
    );
