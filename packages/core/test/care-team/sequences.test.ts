import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { createUpdateBodySchema, toCareTeamUpdate } from '../../src/care-team/bodies.ts';
import type { CareTeamState, Participant } from '../../src/care-team/model.ts';
import { deriveCareTeam } from '../../src/care-team/record.ts';
import { memberKey, type RequestedParticipant, setStatus, upsert } from '../../src/care-team/rules.ts';
import { decideUpdate } from '../../src/care-team/writes.ts';
import { participantStatuses } from '../../src/directory/model.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { extensionBase, organization, practitioner, role, teamOf, wanted } from '../builders.ts';
import { rightOf } from '../results.ts';

const roleCodes = ['nurse', 'doctor', 'dentist', 'coach'] as const;
const practitioners = ['ann', 'bob', 'cyd', 'dan'].map(practitioner);
const organizations = ['lab', 'hospice'].map(organization);
const members = [...practitioners, ...organizations];

const codes = fc.constantFrom(...roleCodes);
const said = fc.constantFrom(undefined, undefined, undefined, true, false);
const anyRequested = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(fc.constantFrom(...practitioners), codes, said)
      .map(([member, code, lead]) => wanted(member, code, lead)),
  },
  {
    weight: 1,
    arbitrary: fc
      .tuple(fc.constantFrom(...organizations), fc.option(codes), said)
      .map(([member, code, lead]) => wanted(member, code, lead)),
  },
);
const requestedLists = fc.array(anyRequested, { maxLength: 5 });

/** Lists that no rule forbids but by chance: otherwise most sequences would be of refusals. */
const likelyLists = fc
  .record({
    who: fc.shuffledSubarray(practitioners),
    what: fc.shuffledSubarray([...roleCodes], { minLength: roleCodes.length }),
    houses: fc.subarray(organizations),
    lead: fc.option(fc.nat(3)),
    unsaid: fc.constantFrom(undefined, undefined, false),
  })
  .map(({ who, what, houses, lead, unsaid }): readonly RequestedParticipant[] => [
    ...who.map((member, index) => wanted(member, what[index] ?? null, index === lead ? true : unsaid)),
    ...houses.map((member) => wanted(member, null)),
  ]);

type Step = (team: CareTeamState, at: number) => E.Either<unknown, CareTeamState>;

const steps: fc.Arbitrary<Step> = fc.oneof(
  likelyLists.map(
    (requested): Step =>
      (team, at) =>
        upsert(team, requested, at),
  ),
  requestedLists.map(
    (requested): Step =>
      (team, at) =>
        upsert(team, requested, at),
  ),
  fc.tuple(fc.constantFrom(...members), fc.constantFrom(...participantStatuses), fc.option(codes)).map(
    ([member, status, code]): Step =>
      (team, at) =>
        setStatus(team, { member, status, role: code === null ? undefined : role(code) }, at),
  ),
);

/** The teams through which a sequence of steps leads; what is refused changes nothing. */
const teamsAfter = (sequence: readonly Step[]): readonly CareTeamState[] => {
  const teams = [teamOf()];
  for (const [index, step] of sequence.entries()) {
    const before = teams.at(-1) ?? teamOf();
    teams.push(E.getOrElse(() => before)(step(before, 1_000 + index)));
  }
  return teams;
};

const sequences = fc.array(steps, { maxLength: 12 }).map(teamsAfter);
const teams = sequences.map((all) => all.at(-1) ?? teamOf());

const nameOf = ({ member }: Participant) => `${member.type}/${member.id}`;
const activeOf = ({ participants }: CareTeamState) =>
  participants.filter(({ status }) => status === 'active');
const practitionersOf = (participants: readonly Participant[]) =>
  participants.filter(({ member }) => member.type === 'Practitioner');
const sorted = ({ patient, participants }: CareTeamState) => ({
  patient,
  participants: participants.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
});

test('after any sequence of updates there is at most one lead, who is an active practitioner', () => {
  fc.assert(
    fc.property(teams, (team) => {
      const leads = team.participants.filter(({ lead }) => lead);
      expect(leads.length).toBeLessThanOrEqual(1);
      for (const { member, status } of leads)
        expect([member.type, status]).toEqual(['Practitioner', 'active']);
    }),
  );
});

test('after any sequence of updates no member takes part twice', () => {
  fc.assert(
    fc.property(teams, ({ participants }) => {
      expect(new Set(participants.map(nameOf)).size).toBe(participants.length);
    }),
  );
});

test('after any sequence of updates no role is held by two active practitioners', () => {
  fc.assert(
    fc.property(teams, (team) => {
      const held = practitionersOf(activeOf(team)).map((one) => one.role?.code);
      expect(held).not.toContain(undefined);
      expect(new Set(held).size).toBe(held.length);
    }),
  );
});

test('no member is ever lost: each former member has some status', () => {
  fc.assert(
    fc.property(sequences, (all) => {
      const now = new Set(all.at(-1)?.participants.map(nameOf));
      for (const before of all) for (const one of before.participants) expect(now).toContain(nameOf(one));
    }),
  );
});

test('the last-modified time of a team never decreases', () => {
  fc.assert(
    fc.property(sequences, (all) => {
      for (const [index, before] of all.entries()) {
        for (const one of before.participants) {
          const later = all[index + 1]?.participants.find((other) => nameOf(other) === nameOf(one));
          if (later !== undefined) expect(later.changedAt).toBeGreaterThanOrEqual(one.changedAt);
        }
      }
    }),
  );
});

const ended = (team: CareTeamState): CareTeamState => ({
  ...team,
  participants: team.participants.map((one) =>
    one.status === 'proposed' || one.status === 'suspended'
      ? { ...one, status: 'inactive', changedAt: 9_999 }
      : one,
  ),
});

test('an upsert of the team as it was read changes nothing, but ends what was proposed or suspended if no member is active', () => {
  const derive = deriveCareTeam(extensionBase);
  const parse = createBodyParser(createUpdateBodySchema(extensionBase), 'CareTeam');
  fc.assert(
    fc.property(teams, (team) => {
      const read: unknown = JSON.parse(
        JSON.stringify(derive({ ...team, status: 'active', participants: activeOf(team) })),
      );
      const names = new Map(activeOf(team).map((one) => [memberKey(one), one.member.display]));
      const context = { names, roles: roleCodes.map(role), at: 9_999 };
      const update = toCareTeamUpdate(rightOf(parse(read, 'strict')), read, { zone: utc, now: () => 9_999 });
      expect(rightOf(decideUpdate(team, update, context))).toEqual(
        activeOf(team).length > 0 ? team : ended(team),
      );
    }),
  );
});

test('the same upsert again changes nothing', () => {
  fc.assert(
    fc.property(teams, likelyLists, (team, requested) => {
      const once = upsert(team, requested, 5_000);
      if (E.isRight(once)) expect(rightOf(upsert(once.right, requested, 6_000))).toEqual(once.right);
    }),
  );
});

test('the order of the participants sent does not matter', () => {
  const inTwoOrders = fc
    .oneof(likelyLists, requestedLists)
    .chain((requested) =>
      fc.tuple(fc.constant(requested), fc.shuffledSubarray([...requested], { minLength: requested.length })),
    );
  fc.assert(
    fc.property(teams, inTwoOrders, (team, [requested, shuffled]) => {
      const one = upsert(team, requested, 5_000);
      const other = upsert(team, shuffled, 5_000);
      expect(E.isRight(other)).toBe(E.isRight(one));
      if (E.isRight(one)) expect(sorted(rightOf(other))).toEqual(sorted(one.right));
    }),
  );
});

test('after an upsert, exactly the requested participants are active', () => {
  fc.assert(
    fc.property(teams, likelyLists, (team, requested) => {
      const after = upsert(team, requested, 5_000);
      if (E.isLeft(after)) return;
      const requestedNames = requested.map(({ member }) => `${member.type}/${member.id}`);
      expect(activeOf(after.right).map(nameOf).toSorted()).toEqual(requestedNames.toSorted());
    }),
  );
});
