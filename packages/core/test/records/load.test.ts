import { expect, test } from 'vitest';
import { utc } from '../../src/fhir/date-time.ts';
import { deriveRecord, toLoadedRecord } from '../../src/records/transact.ts';
import type { OrderRecord } from '../../src/service-request/model.ts';
import { defineServiceRequestRecord } from '../../src/service-request/record.ts';

const stamp = { type: 'ServiceRequest', id: 's1', patientId: 'p1', version: 1, at: 2, by: null };
const body =
  '{"kind":"labOrder","code":{"coding":[{"system":"http://loinc.org","code":"2093-3"}]},"authoredOn":"2026-01-02"}';

// These are texts, because they stay as they are in stores, whatever a command contains later.
test.each([
  ['draft', ''],
  ['active', ',"committed":{"at":2,"by":"dr-1","order":0}'],
  ['completed', ',"committed":{"at":2,"by":"dr-1","order":0},"completed":{"at":3,"by":null}'],
  ['entered-in-error', ',"enteredInError":{"at":3,"by":"dr-1"}'],
  ['draft', ',"committed":null,"completed":null,"enteredInError":null'],
  ['active', ',"committed":{"at":2,"by":"dr-1","order":0},"completed":null,"enteredInError":null'],
])(
  'an order that was once stored as %s still has that status, and its stored text is unchanged',
  (status, acts) => {
    const text = `{"id":"s1","patientId":"p1","commands":[{"body":${body},"stagedAt":1${acts}}]}`;
    const { state } = toLoadedRecord<OrderRecord>('s1', { ...stamp, resource: null, state: text });
    expect(JSON.stringify(state)).toBe(text);
    const { resource } = deriveRecord(
      defineServiceRequestRecord({ zone: utc, extensionBase: 'urn:x' }),
      state as OrderRecord,
    );
    expect(JSON.parse(resource ?? '')).toMatchObject({ status });
  },
);
