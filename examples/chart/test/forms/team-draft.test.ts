import { expect, test } from 'vitest';
import { type DraftMember, isSameTeam, rebaseDraft, updateBodyOf } from '../../src/model/team-draft.ts';

const nurse = { system: 's', code: 'nurse', display: 'Nurse' };
const dietitian = { system: 's', code: 'dietitian', display: 'Dietitian' };

const member = (name: string, roleCode: string | null, isLead = false): DraftMember => ({
  ...{ reference: `Practitioner/${name}`, name, roleCode, isLead },
});

test('the body has each member with role and lead, and no role where none is known', () => {
  const home: DraftMember = { reference: 'Organization/home', name: 'Home', roleCode: null, isLead: false };
  const settings = { roles: [nurse, dietitian], extensionBase: 'https://clinic.example' };
  expect(updateBodyOf('7', [member('ada', 's|nurse', true), home], settings)).toEqual({
    resourceType: 'CareTeam',
    id: '7',
    participant: [
      {
        member: { reference: 'Practitioner/ada' },
        role: [{ coding: [nurse] }],
        extension: [{ url: 'https://clinic.example/careteam-lead', valueBoolean: true }],
      },
      { member: { reference: 'Organization/home' } },
    ],
  });
});

const base = [member('ada', 's|nurse', true), member('bob', 's|dietitian'), member('cyd', null)];

test('a draft is made again on a newer team: what it added, changed and removed', () => {
  const draft = [member('ada', 's|nurse', true), member('bob', 's|other'), member('dan', 's|new')];
  const current = [
    member('ada', 's|nurse', true),
    member('bob', 's|dietitian'),
    member('cyd', null),
    member('eve', null),
  ];
  expect(rebaseDraft(draft, { base, current })).toEqual([
    member('ada', 's|nurse', true),
    member('bob', 's|other'),
    member('eve', null),
    member('dan', 's|new'),
  ]);
});

test('what the draft did not touch is as others left it', () => {
  const current = [member('ada', 's|changed'), member('bob', 's|dietitian', true)];
  expect(rebaseDraft(base, { base, current })).toEqual(current);
});

test('a new lead of the draft is the only lead', () => {
  const draft = [member('ada', 's|nurse'), member('bob', 's|dietitian', true), member('cyd', null)];
  const current = [member('ada', 's|nurse'), member('bob', 's|dietitian'), member('cyd', null, true)];
  const leads = rebaseDraft(draft, { base, current }).filter(({ isLead }) => isLead);
  expect(leads.map(({ name }) => name)).toEqual(['bob']);
});

test('a member whom others removed is not brought back, unless the draft changed them', () => {
  const current = [member('ada', 's|nurse', true)];
  const draft = [base[0], member('bob', 's|other'), base[2]].filter((one) => one !== undefined);
  expect(rebaseDraft(draft, { base, current }).map(({ name }) => name)).toEqual(['ada', 'bob']);
});

test('the role and the lead of a member are changed apart', () => {
  const current = [member('ada', 's|changed', true), member('bob', 's|dietitian'), member('cyd', null)];
  const ledByBob = [member('ada', 's|nurse'), member('bob', 's|dietitian', true), member('cyd', null)];
  expect(rebaseDraft(ledByBob, { base, current })).toEqual([
    member('ada', 's|changed'),
    member('bob', 's|dietitian', true),
    member('cyd', null),
  ]);
  const otherRole = [member('ada', 's|other', true), member('bob', 's|dietitian'), member('cyd', null)];
  expect(rebaseDraft(otherRole, { base, current: ledByBob })).toEqual([
    member('ada', 's|other'),
    member('bob', 's|dietitian', true),
    member('cyd', null),
  ]);
});

test('a lead whom others removed is not brought back by a draft with a new lead', () => {
  const draft = [member('ada', 's|nurse'), member('bob', 's|dietitian', true), member('cyd', null)];
  const current = [member('bob', 's|dietitian'), member('cyd', null, true)];
  expect(rebaseDraft(draft, { base, current })).toEqual([
    member('bob', 's|dietitian', true),
    member('cyd', null),
  ]);
});

test('teams are the same with the same members, roles and lead in any order', () => {
  expect(isSameTeam(base, base.toReversed())).toBe(true);
  expect(isSameTeam(base, base.slice(1))).toBe(false);
  expect(isSameTeam(base, [...base.slice(0, 2), member('cyd', 's|nurse')])).toBe(false);
  expect(isSameTeam(base, [member('ada', 's|nurse'), ...base.slice(1)])).toBe(false);
});
