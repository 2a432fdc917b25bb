import { describe, expect, test } from 'vitest';
import { by, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';
import { stores } from './stores.ts';

const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];

const asthma = { text: 'Asthma' };

describe.each(stores)("a host's type in an import, by its identifiers (%s)", (_, openStore) => {
  const open = async () => {
    const { records } = await openClinic(await openStore());
    const load = async (...resources: object[]) => {
      const { imported, unchanged, issues, warnings } = await records.importer.load(resources);
      return { imported, unchanged, rules: [...issues, ...warnings].map(({ rule }) => rule), warnings };
    };
    const idsIn = async (patient: string) => {
      const { entry = [] } = await records.conditions.search({ patient });
      return entry.map(({ resource }) => resource.id);
    };
    return { records, load, idsIn };
  };
  const condition = (id: string, rest: object = {}) => sourceCondition(id, 'amy', { identifier, ...rest });

  test('is known under another id, and a warning names it and what it does not have', async () => {
    const { load, idsIn } = await open();
    await load(condition('one'));
    const again = await load(condition('two', { onsetDateTime: '2020' }), condition('three'));
    expect(again).toMatchObject({ imported: {}, unchanged: { Condition: 2 } });
    expect(again.rules).toEqual(['known-identifier', 'known-identifier']);
    expect(again.warnings[0]?.message).toMatch(
      /It is Condition\/one\. .* sent in Condition\.onsetDateTime\.$/,
    );
    expect(await idsIn('amy')).toEqual(['one']);
  });

  test('is known, however it was recorded', async () => {
    const { records, load } = await open();
    const { id } = await records.allergies.create(nuts({ identifier }), { by });
    const { unchanged, warnings } = await load({ ...nuts({ identifier }), id: 'two' });
    expect([unchanged, warnings[0]?.message]).toEqual([
      { AllergyIntolerance: 1 },
      expect.stringContaining(`It is AllergyIntolerance/${id}.`),
    ]);
  });

  test('of another concept, it is imported with a warning', async () => {
    const { load, idsIn } = await open();
    const { imported, rules } = await load(condition('one'), condition('two', { code: asthma }));
    expect([imported, rules]).toEqual([{ Condition: 2 }, ['shared-identifier']]);
    expect(await idsIn('amy')).toEqual(['one', 'two']);
  });

  test('of another patient, it is refused', async () => {
    const { load, idsIn } = await open();
    await load(condition('one'));
    const { rules } = await load(sourceCondition('two', 'ben', { identifier }));
    expect([rules, await idsIn('ben')]).toEqual([['identifier-of-another-patient'], []]);
  });

  test('one that is entered in error does not count, and is imported beside the other', async () => {
    const { load } = await open();
    const inError = { verificationStatus: verificationStatus('entered-in-error') };
    expect((await load(condition('one', inError), condition('two'))).imported).toEqual({ Condition: 2 });
    const { imported, rules } = await load(condition('three', inError));
    expect([imported, rules]).toEqual([{ Condition: 1 }, ['retracted-identifier']]);
  });
});
