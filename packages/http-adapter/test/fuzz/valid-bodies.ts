import { influenza, leadExtension, noteIdExtension, participant, statement } from '../builders.ts';
import { cardiologist, dietitian, nurse } from '../clinic.ts';

/** The body of a CareTeam PUT with every element of the interface in it. */
export const careTeam = {
  resourceType: 'CareTeam',
  id: 'amy',
  status: 'active',
  name: 'Care Team for Shaw, Amy',
  subject: { reference: 'Patient/amy', type: 'Patient', display: 'Shaw, Amy' },
  participant: [
    participant('Practitioner/ada', cardiologist, leadExtension(true)),
    participant('Practitioner/bob', nurse, leadExtension(false)),
    participant('Organization/lab', null),
    participant('Organization/home', dietitian),
  ],
};

/** The body of an Immunization POST with every element of the interface in it. */
export const newStatement = statement({
  resourceType: 'Immunization',
  extension: noteIdExtension('note-amy'),
  vaccineCode: { coding: [influenza, { system: 'unstructured', code: 'flu' }] },
  encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' },
  note: [
    {
      text: 'Told by her mother',
      time: '2025-10-01T09:30:00Z',
      authorReference: { reference: 'Practitioner/ada' },
    },
    { text: 'No reaction' },
  ],
});

/** The elements of a dose at which no rule looks, each with every part that it can have. */
export const doseElements = {
  recorded: '2025-10-02',
  reportOrigin: { coding: [{ code: 'record' }] },
  location: { reference: 'Location/ward', type: 'Location', display: 'Ward 3' },
  manufacturer: { display: 'Vaccines Ltd' },
  lotNumber: 'L-1',
  expirationDate: '2026-06',
  site: {
    coding: [{ system: 'urn:x:sites', version: '1', code: 'LA', display: 'left arm', userSelected: true }],
  },
  route: { text: 'into the muscle' },
  doseQuantity: { value: 0.5, unit: 'mL', system: 'http://unitsofmeasure.org', code: 'mL' },
  performer: [
    { function: { text: 'gave it' }, actor: { reference: 'Practitioner/ada', type: 'Practitioner' } },
  ],
  reasonCode: [{ coding: [{ code: '429060002' }], text: 'Travel' }],
  reasonReference: [{ reference: 'Condition/c', type: 'Condition' }],
  reaction: [{ date: '2025-10-02', detail: { display: 'Fever' }, reported: true }],
  protocolApplied: [
    {
      series: 'Basic',
      authority: { reference: 'Organization/lab', type: 'Organization' },
      targetDisease: [{ text: 'Influenza' }],
      doseNumberPositiveInt: 1,
      seriesDosesString: '2 or 3',
    },
  ],
} as const;

/** The body of an Immunization POST with every element that is stored. */
export const newStatementWithElements = { ...newStatement, ...doseElements };

/** The body of an Immunization PUT of the statement that the clinic has. */
export const mistakenStatement = { ...newStatement, id: 'told', status: 'entered-in-error' };
