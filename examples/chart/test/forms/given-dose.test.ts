import { expect, test } from 'vitest';
import { factsOf } from '../../src/model/history/facts.ts';
import { immunizeCommand, readAmount, sourceOf } from '../../src/model/immunization/given-dose.ts';
import { notGivenCommand } from '../../src/model/immunization/not-given.ts';
import type { Immunization } from '../../src/model/resources.ts';

const typed = {
  ...{ vaccine: 'Hep B, adult', date: '2026-11-28', note: '' },
  ...{ lotNumber: '', expiry: '', site: '', route: '', amount: '', unit: 'mL' },
};

const vaccineCode = {
  coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '43', display: 'Hep B, adult' }],
};

test.each([
  ['0.5', 0.5],
  [' 0,5 ', 0.5],
  ['0,25', 0.25],
  ['1', 1],
  ['', undefined],
  ['  ', undefined],
  ['1,000', null],
  ['0', null],
  ['-1', null],
  ['0.5 mL', null],
  ['half', null],
  ['.5', null],
])('the amount "%s" is %s', (text, amount) => {
  expect(readAmount(text)).toBe(amount);
});

test('each field of the form is an element, and the user is who gave the dose', () => {
  const filled = {
    ...{ ...typed, note: 'Cried.', lotNumber: ' HB-77 ', site: 'LT', route: 'SQ', amount: '0,5', unit: 'ug' },
  };
  expect(immunizeCommand({ patientId: '7', practitionerId: '12' }, filled)).toEqual({
    ...{
      kind: 'immunize',
      patientId: '7',
      vaccineCode,
      occurrenceDateTime: '2026-11-28',
      lotNumber: 'HB-77',
    },
    site: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActSite', code: 'LT' }],
      text: 'Left thigh',
    },
    route: {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-RouteOfAdministration', code: 'SQ' }],
      text: 'Subcutaneous',
    },
    doseQuantity: { value: 0.5, unit: 'µg', system: 'http://unitsofmeasure.org', code: 'ug' },
    performer: [
      {
        function: {
          coding: [
            {
              system: 'http://terminology.hl7.org/CodeSystem/v2-0443',
              code: 'AP',
              display: 'Administering Provider',
            },
          ],
        },
        actor: { reference: 'Practitioner/12' },
      },
    ],
    note: [{ text: 'Cried.' }],
  });
});

test('an empty field is left out, and so is the performer if the user is not known', () => {
  expect(immunizeCommand({ patientId: '7', practitionerId: null }, typed)).toEqual({
    ...{ kind: 'immunize', patientId: '7', vaccineCode, occurrenceDateTime: '2026-11-28' },
  });
});

test('the expiry date is sent and shown', () => {
  const filled = { ...typed, lotNumber: 'HB-77', expiry: '2027-05' };
  expect(immunizeCommand({ patientId: '7', practitionerId: null }, filled)).toMatchObject({
    expirationDate: '2027-05',
  });
  expect(sourceOf(read({ primarySource: true, lotNumber: 'HB-77', expirationDate: '2027-05' }))).toBe(
    'given here, lot HB-77, expires May 2027',
  );
});

test('a vaccine that was not given has its reason, and says nothing of a dose', () => {
  const declined = { ...typed, lotNumber: 'HB-77', reason: 'PATOBJ', note: 'Next year.' };
  expect(notGivenCommand('7', declined)).toEqual({
    ...{ kind: 'immunize', patientId: '7', vaccineCode, occurrenceDateTime: '2026-11-28' },
    statusReason: { coding: [{ code: 'PATOBJ', display: 'patient objection' }] },
    note: [{ text: 'Next year.' }],
  });
});

const read = (dose: Partial<Immunization>) =>
  ({ resourceType: 'Immunization', status: 'completed', vaccineCode, ...dose }) as Immunization;

const given = read({
  ...{ primarySource: true, occurrenceDateTime: '2026-11-28', lotNumber: 'HB-77' },
  ...{ site: { text: 'Left arm' }, route: { text: 'Oral' }, doseQuantity: { value: 2, code: '[drp]' } },
});

test.each([
  [given, 'given here, lot HB-77, Left arm, Oral, 2 [drp]'],
  [read({ primarySource: true }), 'given here'],
  [read({ primarySource: false }), 'reported'],
  [read({ primarySource: false, doseQuantity: { unit: 'mL' } }), 'reported'],
])('a dose says from where it is known, and how it was given', (dose, words) => {
  expect(sourceOf(dose)).toBe(words);
});

test('the history says how a dose was given', () => {
  const facts = factsOf(given).map(({ label, value }) => `${label}: ${value}`);
  expect(facts).toEqual(
    expect.arrayContaining(['Lot: HB-77', 'Site: Left arm', 'Route: Oral', 'Dose: 2 [drp]']),
  );
});
