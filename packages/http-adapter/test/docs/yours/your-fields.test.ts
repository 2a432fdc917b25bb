import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { statement } from '../../builders.ts';
import { consent, openRecords, recordWithConsent } from './your-fields.ts';

test('a field is written, and read with its type', async () => {
  const records = openRecords(createMemoryStore());
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  expect(await recordWithConsent(records, statement())).toBe(true);
  const { entry = [] } = await records.immunizations.search({ patient: 'amy' });
  expect(entry[0]?.resource).toMatchObject({
    extension: [expect.anything(), { url: consent.url, valueBoolean: true }],
  });
});
