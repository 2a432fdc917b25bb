import { resourceTypes } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import {
  ada,
  goal,
  immunizationStatement,
  lab,
  labOrder,
  leadExtension,
  participant,
} from '../../builders.ts';
import { nurse } from '../../clinic.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createWrites } from '../writes.ts';

const representation = { headers: { prefer: 'return=representation' } };

onEveryStore('Decisions: Bodies and headers', (clinic) => {
  const { put, post } = createWrites(clinic);
  const get = (path: string) => clinic().get(path);

  test('References carry `type` in every response', async () => {
    await clinic().record(labOrder({ reasonConditionIds: ['c'] }));
    await clinic().record(goal({ progress: 'x' }));
    await clinic().record(immunizationStatement());
    await put({ participant: [ada, lab] });
    const references: { reference: string; type?: string }[] = [];
    const gather = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return;
      if ('reference' in value) references.push(value as { reference: string });
      for (const part of Object.values(value)) gather(part);
    };
    for (const type of resourceTypes) gather((await get(`/${type}`)).json);
    expect(references).toHaveLength(12);
    for (const { reference, type } of references) expect(type).toBe(reference.split('/')[0]);
  });

  test('a `type` sent that contradicts the reference is a 400', async () => {
    expectError(
      await put({
        participant: [{ ...ada, member: { reference: 'Practitioner/ada', type: 'Organization' } }],
      }),
      400,
      'CareTeam.participant[0].member.type',
    );
    expectError(
      await post({ patient: { reference: 'Patient/amy', type: 'Group' } }),
      400,
      'Immunization.patient.type',
    );
  });

  describe('Elements that FHIR R4 defines and the interface does not store are accepted and dropped; with `Prefer: handling=strict` they are a 400', () => {
    const team = {
      meta: { source: 'urn:x', tag: [{ code: 'x' }] },
      category: [],
      participant: [{ ...ada, period: { start: '2026' } }],
    };
    const shot = {
      language: 'en',
      vaccineCode: { id: 'v', coding: [{ system: 'unstructured', code: 'a', extension: [] }] },
      performer: [{ actor: { display: 'Ada', identifier: { value: '7' } } }],
    };
    test('CareTeam', async () => {
      const strict = await put(team, { headers: { prefer: 'handling=strict' } });
      expectError(
        strict,
        400,
        ...['meta.source', 'participant[0].period', 'category'].map((it) => `CareTeam.${it}`),
      );
      expectNullBody(await put(team), 200);
      expect(Object.keys((await get('/CareTeam/amy')).json.participant[0])).toEqual([
        'extension',
        'role',
        'member',
      ]);
    });
    test('Immunization', async () => {
      const strict = await post(shot, { headers: { prefer: 'handling=strict' } });
      const expected = [
        'vaccineCode.coding[0].extension',
        'vaccineCode.id',
        'performer[0].actor.identifier',
        'language',
      ];
      expectError(strict, 400, ...expected.map((it) => `Immunization.${it}`));
      const { json } = await post(shot, representation);
      expect(json.vaccineCode).toEqual({ coding: [{ system: 'unstructured', code: 'a' }] });
      expect(json).not.toHaveProperty('language');
      expect(json.performer).toEqual([{ actor: { display: 'Ada' } }]);
    });
  });

  test('Names that FHIR does not define are always a 400, so that a misspelt element is never lost silently. Inside a dropped element, they are dropped with it', async () => {
    for (const prefer of ['handling=lenient', 'handling=strict']) {
      expectError(await put({ participants: [ada] }, { headers: { prefer } }), 400, 'CareTeam.participants');
      expectError(await post({ encounters: [] }, { headers: { prefer } }), 400, 'Immunization.encounters');
    }
    const nested = { ...participant('Practitioner/bob', nurse, leadExtension(true)), roles: [] };
    expectError(await put({ participant: [nested] }), 400, 'CareTeam.participant[0].roles');
    expectNullBody(await post({ subpotentReason: [{ codes: {} }] }), 201);
  });

  test('An element of which nothing can be stored is dropped as a whole, with an element that requires it', async () => {
    const absent = [
      { url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason', valueCode: 'unknown' },
    ];
    const sent = {
      manufacturer: { identifier: { value: '7' } },
      site: { extension: absent },
      route: { coding: [{ extension: absent }] },
      performer: [{ actor: { identifier: { value: '7' } } }, { actor: { display: 'Ada' } }],
      lotNumber: 'L-1',
    };
    const { json } = await post(sent, representation);
    expect(json).toMatchObject({ lotNumber: 'L-1', performer: [{ actor: { display: 'Ada' } }] });
    for (const name of ['manufacturer', 'site', 'route']) expect(json).not.toHaveProperty(name);
    expectError(await post({ ...sent, site: {} }), 400, 'Immunization.site');
    expectError(await post({ vaccineCode: { id: 'v' } }), 400, 'Immunization.vaccineCode.coding');
    const patient = { identifier: { value: '7' } };
    expectError(await post({ patient }), 400, 'Immunization.patient.reference');
    const strict = await post(
      { manufacturer: sent.manufacturer },
      { headers: { prefer: 'handling=strict' } },
    );
    expectError(strict, 400, 'Immunization.manufacturer.identifier');
  });

  test('An optional element sent as an empty array counts as omitted; a required one is a 400', async () => {
    const lab = { member: { reference: 'Organization/lab' } };
    expectNullBody(await put({ participant: [lab] }), 200);
    const before = await get('/CareTeam/amy');
    expectNullBody(await put({ participant: [{ ...lab, role: [], extension: [] }] }), 200);
    expect(await get('/CareTeam/amy')).toEqual(before);
    expectNullBody(await post({ extension: [], note: [] }), 201);
    expectError(await put({ participant: [{ ...ada, role: [] }] }), 400, 'CareTeam.participant[0].role');
    expectError(await post({ vaccineCode: { coding: [] } }), 400, 'Immunization.vaccineCode.coding');
  });

  describe('An array that is stored has at most 1,000 elements; more is a 400, and the elements are not checked', () => {
    const empty = (count: number) => Array.from({ length: count }, () => ({}));
    const notes = (count: number) => Array.from({ length: count }, () => ({ text: 'Seen.' }));
    test('of participants', async () => {
      expectError(await put({ participant: empty(1001) }), 400, 'CareTeam.participant');
    });
    test('of roles, and of the codings of one', async () => {
      const member = { reference: 'Organization/lab' };
      const sent = [
        { member, role: empty(1001) },
        { member, role: [{ coding: empty(1001) }] },
      ];
      expectError(
        await put({ participant: sent }),
        400,
        'CareTeam.participant[0].role',
        'CareTeam.participant[1].role[0].coding',
      );
    });
    test('of codings and notes of an immunization', async () => {
      const statusReason = { coding: empty(1001) };
      expectError(
        await post({ vaccineCode: { coding: empty(1001) }, statusReason, note: empty(1001) }),
        400,
        'Immunization.statusReason.coding',
        'Immunization.vaccineCode.coding',
        'Immunization.note',
      );
      expectError(await post({ note: notes(1001) }), 400, 'Immunization.note');
      expectNullBody(await post({ note: notes(1000) }), 201);
    });
  });

  test('So is a body whose arrays have more than 5,000 together', async () => {
    const participantsWith = (roles: number, codings: number) => {
      const coding = Array.from({ length: codings }, () => ({}));
      return [{ ...ada, role: Array.from({ length: roles }, () => ({ coding })) }];
    };
    expectError(await put({ participant: participantsWith(90, 900) }), 400, 'CareTeam');
    expectError(await put({ participant: participantsWith(5, 999) }), 400, 'CareTeam');
    // One participant, five roles, and five times as many codings are four short of 5,000.
    const category = (length: number) => Array.from({ length }, () => ({}));
    expectError(await put({ participant: participantsWith(5, 998), category: category(5) }), 400, 'CareTeam');
    const { status, json } = await put({ participant: participantsWith(5, 998), category: category(4) });
    expect(status).toBe(400);
    expect(json.issue[0].expression).toEqual(['CareTeam.participant[0].role[0].coding[0].system']);
  });

  describe('A code has no white space around it, and within it single spaces at most', () => {
    const coded = (code: string) => ({ coding: [{ system: 'unstructured', code }] });
    test.each([' 140', '140\n', '1  40', '1\t40', '\u00a0140'])('%j is a 400', async (code) => {
      const role = [{ coding: [{ ...nurse, code }] }];
      expectError(await post({ vaccineCode: coded(code) }), 400, 'Immunization.vaccineCode.coding[0].code');
      expectError(
        await put({ participant: [{ ...ada, role }] }),
        400,
        'CareTeam.participant[0].role[0].coding[0].code',
      );
    });
    test('a phrase is valid', async () => {
      expectNullBody(await post({ vaccineCode: coded('Yellow fever, in Lagos') }), 201);
    });
    test('not in a chart either, whose orders are found by it', async () => {
      const code = { coding: [{ system: 'http://loinc.org', code: '2093-3 ' }] } as const;
      await expect(clinic().record(labOrder({ code }))).rejects.toMatchObject({
        issues: [{ rule: 'code-form', expression: 'Command.code.coding[0].code' }],
      });
    });
  });
});
