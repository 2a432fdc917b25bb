import {
  influenza,
  leadExtension,
  noteIdExtension,
  participant,
  proposedGoal,
  statement,
} from '../builders.ts';
import { cardiologist, dietitian, nurse } from '../clinic.ts';
import { doseElements } from '../clinical-elements.ts';

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

/** The body of an Immunization POST with every element that is stored. */
export const newStatementWithElements = { ...newStatement, ...doseElements };

/** The body of an Immunization PUT of the statement that the clinic has. */
export const mistakenStatement = { ...newStatement, id: 'told', status: 'entered-in-error' };

/** The body of a Goal POST with every element of the interface in it. */
export const newGoal = {
  ...proposedGoal(),
  resourceType: 'Goal',
  achievementStatus: {
    coding: [
      {
        system: 'http://terminology.hl7.org/CodeSystem/goal-achievement',
        code: 'in-progress',
        display: 'In Progress',
      },
    ],
  },
  priority: {
    coding: [
      {
        system: 'http://terminology.hl7.org/CodeSystem/goal-priority',
        code: 'high-priority',
        display: 'High Priority',
      },
    ],
  },
  subject: { reference: 'Patient/amy', type: 'Patient' },
  startDate: '2026-03',
  target: [{ dueDate: '2026-06-01' }],
  note: [{ text: 'Half a mile already.' }],
};

/** The body of a Goal PUT that commits a staged goal of the clinic. */
export const committedGoal = { ...proposedGoal({ lifecycleStatus: 'active' }), id: 'staged' };
