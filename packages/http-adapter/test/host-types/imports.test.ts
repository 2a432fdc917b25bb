import { describe, expect, test } from 'vitest';
import {
  by,
  clinicalStatus,
  createRecords,
  nuts,
  openClinic,
  sourceCondition,
  verificationStatus,
} from './clinic.ts';
import { stores } from './stores.ts';

const at = (lastUpdated: string) => ({ meta: { lastUpdated } });

const resolved = clinicalStatus('resolved');

describe.each(stores)("an import of a host's type (%s)", (_, openStore) => {
  const open = async () => {
    const clinic = await openClinic(await openStore());
    const { records } = clinic;
    const load = (...resources: object[]) => records.importer.load(resources);
    const statusOf = async () => (await records.conditions.read('a')).clinicalStatus?.coding?.[0]?.code;
    return { ...clinic, load, statusOf };
  };

  test('keeps what is declared, and names every element that it did not keep', async () => {
    const { records, load } = await open();
    const { imported, lostElements, issues } = await load(
      sourceCondition('a', 'amy', {
        severity: { text: 'Severe' },
        extension: [{ url: 'urn:x', valueCode: 'y' }],
        meta: { tag: [{ code: 'outside' }] },
        identifier: [{ system: 'urn:oid:1.2.3', value: 'C-1' }],
      }),
    );
    expect([imported, issues]).toEqual([{ Condition: 1 }, []]);
    expect(lostElements).toEqual({ 'Condition.extension': 1, 'Condition.severity': 1 });
    const { meta, ...read } = await records.conditions.read('a');
    expect(read).toEqual({
      ...sourceCondition('a', 'amy'),
      identifier: [{ system: 'urn:oid:1.2.3', value: 'C-1' }],
      subject: { reference: 'Patient/amy', type: 'Patient' },
      encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' },
    });
    expect(meta?.tag).toEqual([{ code: 'outside' }]);
  });

  test('leaves out the smallest part that is not valid, and refuses a resource without what it must have', async () => {
    const { records, load } = await open();
    const { warnings, issues, imported } = await load(
      sourceCondition('a', 'amy', {
        recordedDate: 'yesterday',
        category: [{ text: 'Problem' }, { coding: [{ system: 7 }] }],
        onsetString: 'as a child',
        onsetDateTime: '1990',
      }),
      sourceCondition('b', 'amy', { code: undefined }),
      sourceCondition('c', 'zoe'),
    );
    expect(imported).toEqual({ Condition: 1 });
    expect(warnings.map(({ expression }) => expression)).toEqual([
      'Condition.category[1]',
      'Condition.recordedDate',
      'Condition.onsetString',
    ]);
    expect(issues.map(({ id, rule, expression }) => [id, rule, expression])).toEqual([
      ['b', 'required', 'Condition.code'],
      ['c', 'unknown-patient', 'Condition.subject'],
    ]);
    const { recordedDate, category, onsetDateTime, onsetString } = await records.conditions.read('a');
    expect([recordedDate, category]).toEqual([undefined, [{ text: 'Problem' }]]);
    expect([onsetDateTime, onsetString]).toEqual(['1990', undefined]);
  });

  test('replaces what only imports have written, if its source changed it later', async () => {
    const { records, load, statusOf } = await open();
    await load(sourceCondition('a', 'amy', at('2026-01-02T08:00:00Z')));
    const again = await load(sourceCondition('a', 'amy', at('2026-01-02T08:00:00Z')));
    const earlier = await load(
      sourceCondition('a', 'amy', { ...at('2026-01-01T08:00:00Z'), clinicalStatus: resolved }),
    );
    expect([again.unchanged, earlier.unchanged, earlier.issues]).toEqual([
      { Condition: 1 },
      { Condition: 1 },
      [],
    ]);
    expect(await statusOf()).toBe('active');
    const later = await load(
      sourceCondition('a', 'amy', { ...at('2026-01-03T09:00:00+01:00'), clinicalStatus: resolved }),
    );
    expect([later.updated, await statusOf()]).toEqual([{ Condition: 1 }, 'resolved']);
    expect((await records.conditions.history('a')).map(({ version }) => version)).toEqual([2, 1]);
  });

  test('refuses to guess which of two is the later one', async () => {
    const { load, statusOf } = await open();
    await load(sourceCondition('a', 'amy'));
    expect((await load(sourceCondition('a', 'amy'))).unchanged).toEqual({ Condition: 1 });
    const { issues } = await load(sourceCondition('a', 'amy', { clinicalStatus: resolved }));
    expect(issues.map(({ rule }) => rule)).toEqual(['undated-change']);
    expect(await statusOf()).toBe('active');
  });

  test('takes over that its source has entered it in error, also of what is stripped of all else', async () => {
    const { records, load } = await open();
    await load(sourceCondition('a', 'amy'));
    const { updated } = await load({
      ...{ resourceType: 'Condition', id: 'a', subject: { reference: 'Patient/amy' } },
      verificationStatus: verificationStatus('entered-in-error'),
    });
    expect(updated).toEqual({ Condition: 1 });
    expect(await records.conditions.read('a')).toMatchObject({
      code: sourceCondition('a', 'amy').code,
      verificationStatus: verificationStatus('entered-in-error'),
    });
    await load(sourceCondition('b', 'amy'));
    const rest = { resourceType: 'Condition', id: 'b' };
    expect(
      (await load({ ...rest, verificationStatus: verificationStatus('entered-in-error') })).updated,
    ).toEqual({
      Condition: 1,
    });
  });

  test('does not change what was changed here, and says so', async () => {
    const { records, load } = await open();
    await load({ ...nuts(at('2026-01-02T08:00:00Z')), id: 'n' });
    await records.allergies.update('n', { id: 'n', ...nuts({ criticality: 'low' }) }, { by });
    const later = nuts({ ...at('2026-01-03T08:00:00Z'), criticality: 'unable-to-assess' });
    const { issues } = await load({ ...later, id: 'n' });
    expect(issues.map(({ rule, outcome }) => [rule, outcome])).toEqual([['changed-here', 'unchanged']]);
    expect(issues[0]?.message).toMatch(/ sent in AllergyIntolerance\.criticality\.$/);
    expect((await records.allergies.read('n')).criticality).toBe('low');
  });

  test('says nothing of a source that is as it was, whatever was changed here', async () => {
    const { records, load } = await open();
    await load({ ...nuts(), id: 'n' });
    await records.allergies.update('n', { id: 'n', ...nuts({ criticality: 'low' }) }, { by });
    const { unchanged, issues } = await load({ ...nuts(), id: 'n' });
    expect([unchanged, issues]).toEqual([{ AllergyIntolerance: 1 }, []]);
  });

  test('goes on in the chart into which its patient was merged', async () => {
    const { records, load, statusOf } = await open();
    await load(sourceCondition('a', 'amy', at('2026-01-02T08:00:00Z')));
    const merge = { patientId: 'amy', toPatientId: 'ben', by, reason: 'Registered twice.' } as const;
    await records.corrections.mergePatients(merge);
    expect((await load(sourceCondition('a', 'amy', at('2026-01-02T08:00:00Z')))).unchanged).toEqual({
      Condition: 1,
    });
    const later = { ...at('2026-01-03T08:00:00Z'), clinicalStatus: resolved };
    const { updated, issues } = await load(sourceCondition('a', 'amy', later));
    expect([updated, issues, await statusOf()]).toEqual([{ Condition: 1 }, [], 'resolved']);
    expect((await records.conditions.read('a')).subject.reference).toBe('Patient/ben');
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('refuses an id that a resource of another patient has', async () => {
    const { load } = await open();
    await load(sourceCondition('a', 'amy'));
    const { issues } = await load(sourceCondition('a', 'ben'));
    expect(issues.map(({ rule }) => rule)).toEqual(['resource-of-another-patient']);
  });

  test('waits for its patient, and finds people by their identifiers', async () => {
    const { records, load } = await open();
    const identifier = { system: 'http://hl7.org/fhir/sid/us-npi', value: '9' };
    const { imported, issues } = await load(
      sourceCondition('a', 'cyd', { recorder: { identifier } }),
      { resourceType: 'Practitioner', id: 'doc', name: [{ family: 'Okafor' }], identifier: [identifier] },
      { resourceType: 'Patient', id: 'cyd', name: [{ family: 'Lane' }] },
    );
    expect([imported, issues]).toEqual([{ Condition: 1, Practitioner: 1, Patient: 1 }, []]);
    expect((await records.conditions.read('a')).recorder).toEqual({
      reference: 'Practitioner/doc',
      type: 'Practitioner',
    });
  });

  test('takes what an export of the same types has, and loses nothing of their elements', async () => {
    const { records, load } = await open();
    await load(sourceCondition('a', 'amy', at('2026-01-02T08:00:00Z')));
    const { id } = await records.allergies.create(nuts(), { by });
    const texts: string[] = [];
    const { resources } = await records.exporter.begin();
    for await (const { json } of resources) texts.push(json);
    const target = createRecords(await openStore());
    const { imported, lostElements, issues } = await target.importer.load(texts);
    expect(imported).toMatchObject({ Condition: 1, AllergyIntolerance: 1 });
    // Of `meta`, only the labels are stored, as of all types.
    expect([lostElements, issues]).toEqual([{ 'AllergyIntolerance.meta': 1, 'Condition.meta': 1 }, []]);
    const { meta: _, ...expected } = await records.allergies.read(id);
    expect(await target.allergies.read(id)).toMatchObject(expected);
    expect((await target.importer.load(texts)).imported).toEqual({});
    expect((await target.verify()).discrepancies).toEqual([]);
  });
});
