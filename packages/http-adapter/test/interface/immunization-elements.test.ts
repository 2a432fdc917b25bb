import { describe, expect, test } from 'vitest';
import { immunize } from '../builders.ts';
import { doseElements } from '../clinical-elements.ts';
import { createLoader } from '../library/create-loader.ts';
import { sourceImmunization } from '../library/source-resources.ts';
import { expectError, expectNullBody } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';
import { createWrites } from './writes.ts';

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

  describe('The other clinical elements of a dose are stored by a POST, a command and an import, and read as they were sent', () => {
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
      expect(Object.keys(await read('shot'))).toEqual([
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
    expect(await read(json.id)).toEqual(body);
  });
});
