import { describe, expect, test } from 'vitest';
import { hemoglobin, immunize, influenza, labOrder } from '../../builders.ts';
import { extensionBase } from '../../clinic.ts';
import { doseElements } from '../../documents/clinical-elements.ts';
import { createLoader } from '../../library/host/create-loader.ts';
import { sourceImmunization, sourceOrder } from '../../library/importer/source-resources.ts';
import { expectError, expectNullBody, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createWrites } from '../writes.ts';

const note = [
  {
    authorReference: { reference: 'Practitioner/ada', type: 'Practitioner', display: 'Ada' },
    time: '2025-10-01T09:30:00+02:00',
    text: 'Well',
  },
  { authorString: 'Her mother', text: 'No fever' },
] as const;
const vaccineCode = {
  coding: [
    {
      system: 'http://hl7.org/fhir/sid/cvx',
      version: '2025',
      code: '140',
      display: 'Influenza',
      userSelected: true,
    },
  ],
  text: 'Flu shot',
} as const;
const all = { ...doseElements, vaccineCode, note };

onEveryStore('Decisions: Immunization', (clinic) => {
  const { post } = createWrites(clinic);
  const load = createLoader(clinic);
  const read = async (id: string) => (await clinic().get(`/Immunization/${id}`)).json;

  describe('The other clinical elements of a dose are stored and read as they were sent', () => {
    test('a POST', async () => {
      const { json } = await post(all, {
        headers: { prefer: 'return=representation, handling=strict' },
      });
      expect(json).toMatchObject(all);
      expect(await read(json.id)).toEqual(json);
    });

    test('a command', async () => {
      await clinic().record(immunize(all));
      expect(await read('shot')).toMatchObject(all);
    });

    test('an import', async () => {
      expect(await load(sourceImmunization('amy', all))).toEqual({
        imported: { Immunization: 1 },
        problems: [],
      });
      expect(await read('i')).toMatchObject(all);
    });

    test('with none of them, an immunization reads as before', async () => {
      await clinic().record(immunize());
      expect(Object.keys(withoutMeta(await read('shot')))).toEqual([
        ...['resourceType', 'id', 'extension', 'status', 'vaccineCode', 'patient', 'encounter'],
        ...['occurrenceDateTime', 'primarySource'],
      ]);
    });
  });

  test('Their references are not looked up, and can be a `display` only; with a reference, they get its `type`', async () => {
    const performer = [
      { actor: { reference: 'PractitionerRole/nobody' } },
      { actor: { display: 'A nurse' } },
    ];
    const { json } = await post({ performer }, { headers: { prefer: 'return=representation' } });
    expect(json.performer).toEqual([
      { actor: { reference: 'PractitionerRole/nobody', type: 'PractitionerRole' } },
      { actor: { display: 'A nurse' } },
    ]);
  });

  describe('A coding of a vaccine, a reason or an order in another code system is in the extension `further-coding` of its concept', () => {
    const ndc = { system: 'http://hl7.org/fhir/sid/ndc', code: '49281-121-65', display: 'Fluzone' };
    const further = { url: `${extensionBase}/further-coding`, valueCoding: ndc };
    const coded = { extension: [further], coding: [influenza] };

    test('a POST', async () => {
      const { json } = await post({ vaccineCode: coded }, { headers: { prefer: 'return=representation' } });
      expect(json.vaccineCode).toEqual(coded);
      const foreign = { ...coded, extension: [{ ...further, url: 'urn:x' }] };
      expectError(await post({ vaccineCode: foreign }), 400, 'Immunization.vaccineCode.extension[0].url');
      expectError(
        await post({ vaccineCode: { coding: [influenza, ndc] } }),
        400,
        'Immunization.vaccineCode.coding[1].system',
      );
    });

    test('a command', async () => {
      const vaccineCode = { coding: [influenza], furtherCodings: [ndc] };
      const statusReason = { coding: [{ code: 'PATOBJ' }], furtherCodings: [ndc] };
      await clinic().record(immunize({ vaccineCode, statusReason }));
      await clinic().record(labOrder({ id: 'o', code: { coding: [hemoglobin], furtherCodings: [ndc] } }));
      expect(await read('shot')).toMatchObject({
        vaccineCode: coded,
        statusReason: { extension: [further], coding: [{ code: 'PATOBJ' }] },
      });
      const order = (await clinic().get('/ServiceRequest/o')).json;
      expect(order.code).toEqual({ extension: [further], coding: [hemoglobin] });
      expect((await clinic().get('/ServiceRequest?code=49281-121-65')).json.total).toBe(1);
    });

    test('a command with only a text', async () => {
      await clinic().record(immunize({ kind: 'immunizationStatement', vaccineCode: { text: 'Flu  shot' } }));
      await clinic().record(labOrder({ id: 'o', code: { text: 'CBC', furtherCodings: [ndc] } }));
      expect((await read('shot')).vaccineCode).toEqual({
        coding: [{ system: 'unstructured', code: 'Flu shot', display: 'Flu  shot' }],
        text: 'Flu  shot',
      });
      expect((await clinic().get('/ServiceRequest/o')).json.code).toEqual({
        extension: [further],
        text: 'CBC',
      });
      const refused = clinic().record(labOrder({ id: 'p', code: { furtherCodings: [ndc] } }));
      await expect(refused).rejects.toMatchObject({
        issues: [{ rule: 'required', expression: 'Command.code.coding' }],
      });
    });

    test('an import, also of an immunization and an order that were read here', async () => {
      const sent = [
        sourceImmunization('amy', { vaccineCode: { coding: [ndc, influenza] } }),
        sourceOrder('amy', { code: { coding: [hemoglobin, ndc] } }),
      ];
      expect((await load(...sent)).problems).toEqual([]);
      const immunization = await read('i');
      expect(immunization.vaccineCode).toEqual(coded);
      const order = (await clinic().get('/ServiceRequest/s')).json;
      expect(order.code).toEqual({ extension: [further], coding: [hemoglobin] });
      await load({ ...immunization, id: 'again' }, { ...order, id: 'again' });
      expect((await read('again')).vaccineCode).toEqual(immunization.vaccineCode);
      expect((await clinic().get('/ServiceRequest/again')).json.code).toEqual(order.code);
    });
  });

  test('An empty array in them counts as omitted, and an element without content is a 400', async () => {
    const { json } = await post(
      { site: { text: 'left arm', coding: [] }, reasonCode: [] },
      { headers: { prefer: 'return=representation' } },
    );
    expect([json.site, json.reasonCode]).toEqual([{ text: 'left arm' }, undefined]);
    expectError(
      await post({ site: { coding: [] }, reaction: [{}] }),
      400,
      'Immunization.site',
      'Immunization.reaction[0]',
    );
  });

  test('An immunization that was read can be sent back with all of them, also under `handling=strict`', async () => {
    const { json } = await post(all, { headers: { prefer: 'return=representation' } });
    const body = { ...json, status: 'entered-in-error' };
    const sent = { headers: { prefer: 'handling=strict' } };
    expectNullBody(await clinic().put(`/Immunization/${json.id}`, body, sent), 200);
    expect(withoutMeta(await read(json.id))).toEqual(withoutMeta(body));
  });
});
