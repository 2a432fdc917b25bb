import { describe, expect, test } from 'vitest';
import { onEveryStore } from '../../stores.ts';
import { createLoader } from '../host/create-loader.ts';
import {
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
  sourcePractitioner,
} from './source-resources.ts';

onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);

  describe('An entry of a list that is not valid, such as a null or a note without a text, is left out and reported', () => {
    test('and the rest of the resource is imported', async () => {
      const note = [{ text: 'Walks' }, { text: '' }, null, { time: '2026-01-01' }];
      const sent = sourceGoal('amy', { note, category: [null] });
      const { imported, problems } = await load(sent);
      expect(imported).toEqual({ Goal: 1 });
      expect(problems.map((problem) => problem.split(': ')[1]).toSorted()).toEqual([
        'Goal.category[0]',
        'Goal.note[1]',
        'Goal.note[2]',
        'Goal.note[3]',
      ]);
      const read = await clinic().records.goals.read('g');
      expect(read.note?.map(({ text }) => text)).toEqual(['Walks']);
    });
    test('but not what the resource needs', async () => {
      const { imported, problems } = await load(sourceOrder('amy', { category: [null] }));
      expect([imported, problems]).toEqual([{}, [expect.stringContaining('ServiceRequest.category')]]);
    });
  });

  describe('A person without a name, or with a masked one, is imported as "(no name)" and reported', () => {
    const nameless = { resourceType: 'Patient', id: 'masked', name: [{ use: 'anonymous' }] };
    test('so that the chart is not lost', async () => {
      const { imported, problems } = await load(sourceGoal('masked'), nameless);
      expect(imported).toEqual({ Patient: 1, Goal: 1 });
      expect(problems).toEqual([
        'masked: Patient.name: The person has no name here, and is shown as (no name).',
      ]);
      expect((await clinic().records.careTeams.read('masked')).name).toBe('Care Team for (no name)');
    });
    test('A name that was known before is kept', async () => {
      await load(sourcePatient('masked', 'Eve Hill'));
      await load(nameless);
      expect((await clinic().records.careTeams.read('masked')).name).toBe('Care Team for Hill, Eve');
    });
  });

  test('A resource of DSTU2, STU3 or R5 that R4 does not understand, and a text of XML, C-CDA, HL7 version 2 or CSV, are reported as what they are', async () => {
    const { occurrenceDateTime: date, ...dose } = sourceImmunization('amy');
    const { imported, problems } = await load({ ...dose, date }, 'id,family\n7,Shaw', {
      resourceType: 'ProcedureRequest',
      id: 'old',
    });
    expect(imported).toEqual({});
    expect(problems).toEqual([
      ': Not valid JSON. This looks like CSV. Convert it to FHIR R4 as NDJSON, a resource on each line.',
      'old: This looks like a resource of another version of FHIR than R4. STU3 has ProcedureRequest, where R4 has ServiceRequest.',
      'i: Immunization.date: This looks like a resource of another version of FHIR than R4. STU3 has `date`, where R4 has occurrenceDateTime.',
      'i: Immunization.occurrenceDateTime: A required element is missing.',
    ]);
  });

  describe('Dates that contradict each other or the clock are imported and reported', () => {
    const life = sourcePatient('eve', 'Eve Hill', { birthDate: '1980-05', deceasedDateTime: '2020-01-02' });
    const datesOf = async (...resources: object[]) => {
      const { issues, warnings } = await clinic().records.importer.load([life, ...resources]);
      expect(issues).toEqual([]);
      return warnings.map(({ expression, message }) => `${expression}: ${message.split('anyway. ')[1]}`);
    };
    test('of a patient', async () => {
      const born = { birthDate: '2031-01-01', deceasedDateTime: '2030-01-01' };
      expect(await datesOf(sourcePatient('kim', 'Kim', born))).toEqual([
        'Patient.birthDate: It is after the present.',
        'Patient.deceasedDateTime: It is after the present.',
        'Patient.birthDate: It is after Patient.deceasedDateTime.',
      ]);
    });
    test('of a goal, an order and a dose', async () => {
      const goal = { startDate: '2019-03', statusDate: '1970', target: [{ dueDate: '2019-02-28' }] };
      const dose = {
        occurrenceDateTime: '1980-04-30',
        expirationDate: '1980-03',
        reaction: [{ date: '1979' }],
      };
      expect(
        await datesOf(
          sourceGoal('eve', goal),
          sourceOrder('eve', { authoredOn: '2020-01-03' }),
          sourceImmunization('eve', dose),
        ),
      ).toEqual([
        'Goal.startDate: It is after Goal.target.dueDate.',
        'Goal.statusDate: It is before the birth of the patient.',
        'ServiceRequest.authoredOn: It is after the death of the patient.',
        'Immunization.occurrenceDateTime: It is before the birth of the patient.',
        'Immunization.occurrenceDateTime: It is after Immunization.expirationDate.',
        'Immunization.occurrenceDateTime: It is after Immunization.reaction.date.',
      ]);
    });
    test('Equal ones, and less precise ones that may be equal, are not reported', async () => {
      const goal = { startDate: '1980', statusDate: '2020-01-02', target: [{ dueDate: '1980-01' }] };
      const dose = {
        occurrenceDateTime: '1980-05-01',
        expirationDate: '1980-05-01',
        reaction: [{ date: '1980' }],
      };
      expect(
        await datesOf(
          sourceGoal('eve', goal),
          sourceOrder('eve', { authoredOn: '2020-01-02T10:00:00Z' }),
          sourceImmunization('eve', dose),
          sourcePatient('kim', 'Kim', { birthDate: clinic().clock.now().toISOString().slice(0, 10) }),
        ),
      ).toEqual([]);
    });
  });

  test('So is a practitioner whom the source no longer uses', async () => {
    const { problems } = await load({ ...sourcePractitioner('gone', 'Gray'), active: false });
    expect(problems).toEqual([expect.stringContaining('gone: Practitioner.active: ')]);
  });

  test('A refused code is answered with those that are allowed', async () => {
    const coding = [{ system: 'https://elsewhere.example', code: 'x' }];
    const { problems } = await load(sourceOrder('amy', { category: [{ coding }], code: { coding: [{}] } }));
    expect(problems).toEqual([
      's: ServiceRequest.category: None of the codes can be imported. Allowed: http://snomed.info/sct|363679005, http://snomed.info/sct|108252007, http://snomed.info/sct|386053000.',
      's: ServiceRequest.code: None of the codes can be imported. Allowed: any code, a text.',
    ]);
  });
});
