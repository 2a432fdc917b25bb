import {
  anika,
  clinic,
  conditionIds,
  location,
  nils,
  nilsVisit,
  okafor,
  rosa,
  rosaVisit,
} from '../people.ts';
import { hl7, reference, resource, snomed } from './resource.ts';

const visit = (id: string, patientId: string) =>
  resource('Encounter', id, {
    status: 'finished',
    class: {
      system: 'http://terminology.hl7.org/CodeSystem/v3-ActCode',
      code: 'AMB',
      display: 'ambulatory',
    },
    type: [snomed('185349003', 'Encounter for check up')],
    subject: reference('Patient', patientId),
    participant: [
      {
        type: [hl7('v3-ParticipationType', 'PPRF', 'primary performer')],
        individual: reference('Practitioner', okafor),
      },
    ],
    location: [{ location: reference('Location', location) }],
    serviceProvider: reference('Organization', clinic),
  });

export const encounterResources = [visit(rosaVisit, rosa), visit(nilsVisit, nils)];

const problem = (patientId: keyof typeof conditionIds, code: ReturnType<typeof snomed>) =>
  resource('Condition', conditionIds[patientId], {
    clinicalStatus: hl7('condition-clinical', 'active', 'Active'),
    verificationStatus: hl7('condition-ver-status', 'confirmed', 'Confirmed'),
    category: [hl7('condition-category', 'problem-list-item', 'Problem List Item')],
    code,
    subject: reference('Patient', patientId),
  });

export const conditionResources = [
  problem(rosa, snomed('44054006', 'Diabetes mellitus type 2')),
  problem(nils, snomed('38341003', 'Hypertensive disorder')),
  problem(anika, snomed('40930008', 'Hypothyroidism')),
];
