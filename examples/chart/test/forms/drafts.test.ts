import type { ChartCommand, Goal, ServiceRequest } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { draftsOf, stagedBy } from '../../src/model/drafts.ts';

const staged = (command: object, fields: object = {}): ChartCommand =>
  ({
    id: 'Goal/7/0',
    kind: 'kind' in command ? command.kind : '',
    resourceType: 'Goal',
    resourceId: '7',
    version: 1,
    staged: { at: '2026-11-29T09:30:00Z', by: 'Practitioner/12', byDisplay: 'Ada Byron' },
    command,
    ...fields,
  }) as ChartCommand;

const factsOf = (command: object) =>
  draftsOf([staged(command)], [], [])[0]?.facts.map(({ label, value }) => [label, value]);

test('a draft shows all that a commit signs, in words', () => {
  expect(
    factsOf({
      ...{ kind: 'goal', patientId: '7', description: 'Walk', startDate: '2026-03-01', dueDate: null },
      ...{ priority: 'high-priority', achievementStatus: 'in-progress', progress: 'Better.' },
    }),
  ).toEqual([
    ['Start', expect.stringContaining('1 Mar 2026')],
    ['Due', 'none'],
    ['Priority', 'High Priority'],
    ['How it is going', 'In Progress'],
    ['Progress', 'Better.'],
  ]);
  expect(
    factsOf({
      ...{
        kind: 'immunize',
        vaccineCode: { text: 'Tdap' },
        occurrenceDateTime: '2026-03-01',
        lotNumber: 'L1',
      },
      ...{
        doseQuantity: { value: 0.5, unit: 'mL' },
        note: [{ text: 'Left arm.' }, { text: 'No reaction.' }],
      },
      statusReason: { coding: [{ code: 'PATOBJ', display: 'Patient objection' }] },
    }),
  ).toEqual([
    ['When', expect.stringContaining('1 Mar 2026')],
    ['Lot number', 'L1'],
    ['Dose quantity', '0.5 mL'],
    ['Remarks', 'Left arm., No reaction.'],
    ['Status reason', 'Patient objection'],
  ]);
  expect(factsOf({ kind: 'labOrder', code: { text: 'x' }, occurrencePeriod: { end: '2026-03-09' } })).toEqual(
    [['When', expect.stringMatching(/^until .*9 Mar 2026/)]],
  );
});

test('it is about the goal that it changes, the service or the vaccine', () => {
  const goals = [{ id: '7', description: { text: 'Walk' } }] as Goal[];
  const commands = [
    staged({ kind: 'closeGoal', goalId: '7' }),
    staged({ kind: 'referral', code: { text: 'Cardiology' } }, { resourceType: 'ServiceRequest' }),
    staged(
      { kind: 'immunizationStatement', vaccineCode: { text: 'Tdap' } },
      { resourceType: 'Immunization' },
    ),
  ];
  expect(draftsOf(commands, goals, []).map(({ title, label }) => [title, label])).toEqual([
    ['Walk', 'End of the goal'],
    ['Cardiology', 'Referral'],
    ['Tdap', 'Given elsewhere'],
  ]);
});

test('a draft order of another system, which has no listed command, can be committed, too', () => {
  const order = (id: string, status: string) =>
    ({
      ...{ resourceType: 'ServiceRequest', id, status, code: { text: 'X-ray' }, authoredOn: '2026-03-01' },
      meta: { versionId: '3' },
    }) as ServiceRequest;
  const orders = [order('1', 'draft'), order('2', 'active'), order('3', 'draft')];
  const listed = staged({ kind: 'labOrder', code: { text: 'X-ray' } }, { resourceId: '3' });
  expect(draftsOf([listed], [], orders).map(({ id, version }) => [id, version])).toEqual([
    ['Goal/7/0', 1],
    ['ServiceRequest/1/0', 3],
  ]);
});

test('it says who staged it, and for whom software proposed it', () => {
  const sentenceOf = (by: object) =>
    draftsOf([staged({ kind: 'goal' }, { staged: { at: '2026-11-29', ...by } })], [], []).map(stagedBy)[0];
  expect(sentenceOf({ by: 'Practitioner/12', byDisplay: 'Ada Byron' })).toBe(
    'Staged by Ada Byron on 29 Nov 2026.',
  );
  expect(sentenceOf({})).toBe('Staged on 29 Nov 2026.');
  const agent = { reference: 'Device/scribe', display: 'Scribe' };
  expect(sentenceOf({ byDisplay: 'Ada Byron', agent })).toBe(
    'Proposed by Scribe for Ada Byron on 29 Nov 2026.',
  );
  expect(sentenceOf({ agent: { reference: 'Device/scribe' } })).toBe(
    'Proposed by Device/scribe for somebody on 29 Nov 2026.',
  );
});
