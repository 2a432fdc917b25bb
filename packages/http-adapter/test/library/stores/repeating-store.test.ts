import { type AuditStore, type ClinicalStore, createAuditLog } from '@clinical-records/core';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createRecords, openClinic } from '../../clinic.ts';

const damaged = { tag: 'StoreFailure', issues: [{ rule: 'damaged-store' }] };

/** The log of a clinic, whose store returns all entries again and again, wherever a page is to begin. */
const openRepeatingLog = async () => {
  const inner = createMemoryAuditStore();
  const { store } = await openClinic(createMemoryStore());
  const records = createRecords(store, { onAccess: createAuditLog({ store: inner }).onAccess });
  await records.goals.search({}, { by: 'Practitioner/ada' });
  const repeating: AuditStore = { ...inner, scan: () => inner.scan({ after: 0, limit: 10 }) };
  return createAuditLog({ store: repeating });
};

const readAll = async (entries: AsyncIterable<unknown>): Promise<void> => {
  for await (const _ of entries);
};

test('the feed ends if a damaged store returns the same versions again', async () => {
  const { store } = await openClinic(createMemoryStore());
  const repeating: ClinicalStore = { ...store, changesSince: () => store.changesSince({ limit: 10 }) };
  await expect(readAll(createRecords(repeating).changes())).rejects.toMatchObject(damaged);
});

test('so does an export of the audit log', async () => {
  const log = await openRepeatingLog();
  await expect(readAll(log.export())).rejects.toMatchObject(damaged);
});

test('and its verification, which reports the entries that are repeated', async () => {
  const log = await openRepeatingLog();
  const { discrepancies } = await log.verify();
  expect(discrepancies).toEqual([{ position: 1, problem: 'digest' }]);
});
