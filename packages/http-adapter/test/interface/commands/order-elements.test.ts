import { describe, expect, test } from 'vitest';
import { labOrder } from '../../builders.ts';
import { orderElements } from '../../documents/clinical-elements.ts';
import { createLoader, leftOutMessage } from '../../library/host/create-loader.ts';
import { sourceOrder } from '../../library/importer/source-resources.ts';
import { withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const code = {
  coding: [
    { system: 'http://loinc.org', version: '2.80', code: '718-7', display: 'Hemoglobin', userSelected: true },
  ],
  text: 'Hb',
} as const;
const all = { ...orderElements, code };

onEveryStore('Decisions: Goal and ServiceRequest', (clinic) => {
  const load = createLoader(clinic);
  const read = async (id: string) => (await clinic().get(`/ServiceRequest/${id}`)).json;

  describe('The other clinical elements of an order are stored and read as they were sent', () => {
    test('a command', async () => {
      const { id } = await clinic().stage(labOrder({ id: 'o', ...all }));
      const draft = await read('o');
      expect(draft).toMatchObject(all);
      await clinic().commit(id);
      expect(await read('o')).toMatchObject(all);
    });

    test('an import', async () => {
      expect(await load(sourceOrder('amy', all))).toEqual({ imported: { ServiceRequest: 1 }, problems: [] });
      expect(await read('s')).toMatchObject(all);
    });

    test('with none of them, an order reads as before', async () => {
      await clinic().record(labOrder({ id: 'o' }));
      expect(Object.keys(withoutMeta(await read('o')))).toEqual([
        ...[
          'resourceType',
          'id',
          'status',
          'intent',
          'category',
          'code',
          'subject',
          'authoredOn',
          'requester',
        ],
      ]);
    });
  });

  test('An order with an `occurrenceTiming` has no `occurrencePeriod`: of both, an import leaves the timing out and reports it', async () => {
    const occurrenceTiming = { event: ['2026-03-02'] };
    await load(sourceOrder('amy', { id: 'a', occurrenceTiming }));
    const both = sourceOrder('amy', { id: 'b', occurrenceTiming, occurrencePeriod: { start: '2026-03-02' } });
    expect((await load(both)).problems).toEqual([`b: ServiceRequest.occurrenceTiming: ${leftOutMessage}`]);
    expect(await read('a')).toMatchObject({ occurrenceTiming });
    expect(await read('b')).not.toHaveProperty('occurrenceTiming');
  });
});
