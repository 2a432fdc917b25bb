import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { statement } from '../../builders.ts';
import { createRecords } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { type Acme, check, createRules, openRecords } from './your-rules.ts';

const amy = { id: 'amy', lastName: 'Shaw' } as const;

test('the interval between two doses', async () => {
  const records = openRecords(createMemoryStore());
  await records.directory.put('Patient', amy);
  const create = (occurrenceDateTime: string) =>
    outcomeOf(records.immunizations.create(statement({ occurrenceDateTime })));
  expect((await create('2025-10-01'))._tag).toBe('Right');
  expect(await create('2025-10-28')).toMatchObject({ left: { issues: [{ rule: 'acme-interval' }] } });
  expect((await create('2025-10-29'))._tag).toBe('Right');
});

test('the doubts about an immunization before it is saved', async () => {
  const records = openRecords(createMemoryStore());
  await records.directory.put('Patient', amy);
  await records.immunizations.create(statement({ occurrenceDateTime: '2025-10-01' }));
  const shown: unknown[] = [];
  const show = (issues: readonly unknown[]) => shown.push(issues);
  await check(records, statement({ occurrenceDateTime: '2025-10-02' }), show);
  await check(records, statement({ occurrenceDateTime: '2025-12-02' }), show);
  expect(shown).toEqual([[expect.objectContaining({ rule: 'acme-interval' })]]);
  expect((await records.immunizations.search({ patient: 'amy' })).total).toBe(1);
});

test('consent, a recalled lot, and a registry that only warns', async () => {
  const create = async (acme: Partial<Acme>) => {
    const yes = async () => true;
    const all = { isRegistered: yes, hasConsented: yes, isRecalled: async () => false, ...acme };
    const records = createRecords(createMemoryStore(), { rules: createRules(all) });
    await records.directory.put('Patient', amy);
    return outcomeOf(records.immunizations.create(statement({ lotNumber: 'A-1' })));
  };
  const no = async () => false;
  expect(await create({ hasConsented: no })).toMatchObject({ left: { issues: [{ rule: 'acme-consent' }] } });
  expect(await create({ isRecalled: async (lot) => lot === 'A-1' })).toMatchObject({
    left: { issues: [{ rule: 'acme-recalled', expression: 'Immunization.lotNumber' }] },
  });
  expect((await create({ isRegistered: no }))._tag).toBe('Right');
  expect((await create({ isRegistered: () => Promise.reject(new Error('down')) }))._tag).toBe('Right');
  expect((await create({}))._tag).toBe('Right');
});
