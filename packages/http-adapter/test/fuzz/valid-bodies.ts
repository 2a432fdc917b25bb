import {
  goal,
  immunize,
  influenza,
  labOrder,
  leadExtension,
  noteIdExtension,
  participant,
  statement,
  withoutId,
} from '../builders.ts';
import { cardiologist, dietitian, nurse } from '../clinic.ts';
import { doseElements, orderElements } from '../documents/clinical-elements.ts';

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

/** The body that stages a goal, with every element that a form would have. */
export const newGoal = {
  ...withoutId(goal({ startDate: '2026-03', dueDate: '2026-06-01' })),
  achievementStatus: 'in-progress',
  priority: 'high-priority',
  progress: 'Half a mile already.',
  barriers: 'Her knee hurts.',
  expressedBy: { reference: 'Practitioner/ada' },
};

/** The body that proposes a practitioner for a care team. */
export const proposedMember = {
  member: 'Practitioner/cyd',
  status: 'proposed',
  role: { system: dietitian.system, code: dietitian.code },
};

/** The bodies that stage an order and a dose, and also commit them. */
export const newOrder = { ...labOrder(), ...orderElements, commit: true };
export const newDose = { ...withoutId(immunize()), ...doseElements, commit: true };
