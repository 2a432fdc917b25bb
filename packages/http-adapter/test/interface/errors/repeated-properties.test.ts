import { describe, expect, test } from 'vitest';
import { ada, enteredInError, lab, statement } from '../../builders.ts';
import type { RequestOptions } from '../../clinic.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createWrites } from '../writes.ts';

/** An object as JSON, with one more member at its end. */
const withMember = (value: object, name: string, member: unknown): string =>
  `${JSON.stringify(value).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(member)}}`;

onEveryStore('Decisions: Bodies and headers', (clinic) => {
  const { put, record } = createWrites(clinic);

  describe('A property that occurs more than once in its object, at any depth, is a 400 that names it', () => {
    const team = { id: 'amy', participant: [ada, lab] };
    const dose = statement();
    const rows: readonly (readonly [string, string, string, string | Uint8Array, string])[] = [
      [
        'a shorter list after the list',
        'PUT',
        '/CareTeam/amy',
        withMember(team, 'participant', [lab]),
        'CareTeam.participant',
      ],
      [
        'the same list again',
        'PUT',
        '/CareTeam/amy',
        withMember(team, 'participant', team.participant),
        'CareTeam.participant',
      ],
      [
        'another patient',
        'POST',
        '/Immunization',
        withMember(dose, 'patient', { reference: 'Patient/ben' }),
        'Immunization.patient',
      ],
      [
        'within an element',
        'POST',
        '/Immunization',
        JSON.stringify(dose).replace('"Patient/amy"', '"Patient/amy","reference":"Patient/ben"'),
        'Immunization.patient.reference',
      ],
      [
        'spelt with an escape, in bytes',
        'POST',
        '/Immunization',
        new TextEncoder().encode(withMember(dose, 'x', 1).replace('"x"', '"st\\u0061tus"')),
        'Immunization.status',
      ],
      [
        'within an element that is dropped',
        'POST',
        '/Immunization',
        withMember(dose, 'contained', [{}]).replace('{}', '{"a":1,"a":1}'),
        'Immunization.contained[0].a',
      ],
      [
        'in a mark',
        'PUT',
        '/Immunization/shot',
        withMember(enteredInError(), 'id', 'shot'),
        'Immunization.id',
      ],
    ];
    test.each(rows)('%s', async (_, method, path, body, expression) => {
      await put({ participant: [ada, lab] });
      await record();
      const before = await clinic().feed();
      for (const prefer of ['handling=strict', 'handling=lenient']) {
        const sent: RequestOptions = { body, headers: { prefer } };
        expectError(await clinic().send(method, path, sent), 400, expression);
      }
      expect(await clinic().feed()).toEqual(before);
    });
    test('each of them, all at once', async () => {
      const body = withMember(JSON.parse(withMember(team, 'name', 'a')), 'name', 'b').replace(
        '"id":',
        '"id":"amy","id":',
      );
      expectError(await clinic().put('/CareTeam/amy', body), 400, 'CareTeam.id', 'CareTeam.name');
    });
    test('while objects beside each other, or within each other, have the same names', async () => {
      const meta = { extension: [{ url: 'a', extension: [{ url: 'a', valueString: 'url' }] }, { url: 'a' }] };
      expectNullBody(await put({ meta, participant: [ada, lab] }), 200);
    });
  });
});

onEveryStore('Decisions: Import', (clinic) => {
  const load = async (...lines: string[]) => {
    const { imported, issues } = await clinic().records.importer.load(lines);
    return {
      imported,
      issues: issues.map(({ item, outcome, rule, expression }) => [item, outcome, rule, expression]),
    };
  };
  const patient = { resourceType: 'Patient', id: 'eve', name: [{ text: 'Eve' }] };
  const rejected = (item: number, expression: string) => [item, 'rejected', 'repeated-property', expression];

  test('A text in which a property occurs more than once in its object is refused with its place', async () => {
    const encounter = { resourceType: 'Encounter', id: 'v', subject: { reference: 'Patient/amy' } };
    const bundle = { resourceType: 'Bundle', entry: [{ resource: patient }, { resource: encounter }] };
    expect(
      await load(
        withMember(patient, 'name', [{ text: 'Eva' }]),
        withMember(encounter, 'subject', { reference: 'Patient/ben' }),
        JSON.stringify(bundle).replace('"id":"v"', '"id":"v","id":"w"'),
        withMember(patient, 'resourceType', 'Device'),
        JSON.stringify({ ...patient, id: 'zoe' }),
      ),
    ).toEqual({
      imported: { Patient: 1 },
      issues: [
        rejected(1, 'Patient.name'),
        rejected(2, 'Encounter.subject'),
        rejected(3, 'Bundle.entry[1].resource.id'),
        rejected(4, 'Device.resourceType'),
      ],
    });
  });
});
