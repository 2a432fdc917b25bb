import { expect, test } from 'vitest';
import { onEveryStore } from '../../stores.ts';
import { createLoader } from '../host/create-loader.ts';
import { sourceGoal, sourceImmunization, sourceOrder, sourcePatient } from './source-resources.ts';

const order = sourceOrder('amy');
const goal = sourceGoal('amy', { achievementStatus: { coding: [{ code: 'in-progress' }] } });
const immunization = sourceImmunization('amy');

onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);

  test('In a Bundle, a reference to another entry, by its `fullUrl`, refers to that resource', async () => {
    const eve = sourcePatient('eve');
    const entry = [
      { fullUrl: 'urn:uuid:1', resource: { ...goal, subject: { reference: 'urn:uuid:2' } } },
      { fullUrl: 'urn:uuid:2', resource: eve },
    ];
    const sent = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry });
    expect(await load(sent)).toEqual({ imported: { Patient: 1, Goal: 1 }, problems: [] });
    const { subject } = await clinic().records.goals.read('g');
    expect(subject.reference).toBe('Patient/eve');
  });

  test('A resource without an id, as in a transaction, has the UUID of its `fullUrl`, by which others refer to it', async () => {
    const [patientId, goalId] = [
      'A1B2C3D4-0000-4000-8000-000000000001',
      'a1b2c3d4-0000-4000-8000-000000000002',
    ];
    const { id: _, ...patient } = sourcePatient('eve');
    const { id: __, ...newGoal } = goal;
    const request = { method: 'POST', url: 'Goal' };
    const entry = [
      {
        fullUrl: `urn:uuid:${goalId}`,
        resource: { ...newGoal, subject: { reference: `urn:uuid:${patientId}` } },
        request,
      },
      { fullUrl: `urn:uuid:${patientId}`, resource: patient, request: { ...request, url: 'Patient' } },
    ];
    const sent = { resourceType: 'Bundle', type: 'transaction', entry };
    expect(await load(sent)).toEqual({ imported: { Patient: 1, Goal: 1 }, problems: [] });
    const { subject } = await clinic().records.goals.read(goalId);
    expect(subject.reference).toBe(`Patient/${patientId.toLowerCase()}`);
    // The same transaction again is the same resources.
    expect(await load(sent)).toEqual({ imported: {}, problems: [] });
  });

  test('a resource with neither an id nor a UUID is reported', async () => {
    const { id: _, ...patient } = sourcePatient('eve');
    for (const fullUrl of [undefined, 'urn:uuid:1', 'urn:oid:1.2.3']) {
      const { imported, problems } = await load({
        resourceType: 'Bundle',
        entry: [{ fullUrl, resource: patient }],
      });
      expect([imported, problems]).toEqual([{}, [expect.stringContaining('id')]]);
    }
  });

  test('Deletions, Bundles of history, and entries from a different server than earlier ones, whose ids may belong to other patients, are refused', async () => {
    const of = (server: string, resource: { id: string }) => ({
      fullUrl: `https://${server}.example/Goal/${resource.id}`,
      resource,
    });
    const deletion = { request: { method: 'DELETE', url: 'Goal/i' } };
    const entry = [of('here', goal), of('there', { ...goal, id: 'h' }), deletion];
    expect(await load({ resourceType: 'Bundle', id: 'b', entry })).toEqual({
      imported: { Goal: 1 },
      problems: [
        'h: The entry comes from a different server than earlier ones, so its ids may belong to other patients.',
        'i: The source system has deleted the resource. An import deletes nothing.',
      ],
    });
    const history = { resourceType: 'Bundle', id: 'b', type: 'history', entry: [{ resource: order }] };
    expect(await load(history)).toEqual({
      imported: {},
      problems: ['b: History Bundles cannot be imported. Send the current resources.'],
    });
  });

  test('Nothing is imported from a Bundle that has one of these elements outside its resources', async () => {
    const modifierExtension = [{ url: 'https://elsewhere.example/negated', valueBoolean: true }];
    const entry = [{ resource: goal }];
    const bundle = { resourceType: 'Bundle', id: 'b', entry };
    const modified = 'A modifierExtension may change the meaning of the resource and cannot be ignored.';
    const ruled = 'The implicitRules may change the meaning of the resource and cannot be ignored.';
    for (const [sent, problem] of [
      [{ ...bundle, modifierExtension }, modified],
      [{ ...bundle, entry: [{ ...entry[0], modifierExtension }] }, modified],
      [{ ...bundle, implicitRules: 'x' }, ruled],
    ] as const) {
      expect(await load(sent)).toEqual({ imported: {}, problems: [`b: ${problem}`] });
    }
    const inResource = { ...bundle, entry: [...entry, { resource: { ...order, modifierExtension } }] };
    expect(await load(inResource)).toEqual({ imported: { Goal: 1 }, problems: [`s: ${modified}`] });
  });

  test('a Bundle with a resource of any depth is imported, and a resource without a type is reported', async () => {
    const deep = `{"resourceType":"Device","id":"d","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const circle: Record<string, unknown> = { resourceType: 'Device', id: 'd' };
    circle.partOf = [circle];
    let bundle: object = goal;
    for (let depth = 0; depth < 20_000; depth += 1) {
      bundle = { resourceType: 'Bundle', entry: [{ resource: bundle }] };
    }
    const inItself: { resourceType: string; entry: unknown[] } = { resourceType: 'Bundle', entry: [] };
    inItself.entry.push({ resource: inItself }, { fullUrl: 'urn:x' });
    expect(await load(inItself)).toEqual({
      imported: {},
      problems: [': Not a FHIR resource with a resourceType and an id.'],
    });
    expect(await load({ resourceType: 'Bundle', id: 'b', entry: { resource: goal } })).toEqual({
      imported: {},
      problems: ['b: Bundle.entry: The element has the wrong JSON type. Allowed: array.'],
    });
    const deepInBundle = `{"resourceType":"Bundle","entry":[{"resource":${deep}}]}`;
    const report = await load(deep, deepInBundle, circle, { resourceType: '' }, bundle, immunization);
    expect(report).toEqual({
      imported: { Goal: 1, Immunization: 1 },
      problems: [': Not a FHIR resource with a resourceType and an id.'],
    });
  });
});
