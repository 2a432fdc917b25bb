import { extensionBase, roles } from '../settings.ts';
import type { Samples } from '../web/samples.ts';
import { conditionIds, homeCare, location, marcel, okafor, rosa, rosaVisit } from './people.ts';

const patient = `Patient/${rosa}`;

/** A statement in the form of the interface, for a patient of the demo clinic. */
export const statement = {
  status: 'completed',
  vaccineCode: {
    coding: [
      { system: 'http://hl7.org/fhir/sid/cvx', code: '08', display: 'Hep B, adolescent or pediatric' },
    ],
  },
  patient: { reference: patient },
  occurrenceDateTime: '2024-10-02',
  primarySource: false,
  note: [{ text: 'The vaccination card was seen.' }],
};

/** Her statement of a Tdap vaccine, marked as entered in error. */
const retracted = {
  id: 'demo-immunization-3',
  status: 'entered-in-error',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '115', display: 'Tdap' }] },
  patient: { reference: patient },
  occurrenceDateTime: '2019-05',
  primarySource: false,
};

const nuts = { code: { text: 'Nuts' }, patient: { reference: patient }, criticality: 'high' };

/** Her allergy to eggs, with a note. */
const outgrown = {
  id: 'demo-allergy-2',
  clinicalStatus: { coding: [{ code: 'resolved' }] },
  code: { text: 'Eggs' },
  patient: { reference: patient },
  note: [{ text: 'She eats eggs again.' }],
};

/** An order for her that is staged. */
const stagedOrder = {
  kind: 'labOrder',
  patientId: rosa,
  code: { coding: [{ system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' }] },
};

/** The only command of an order, as the path of a step names it. */
const firstOf = (id: string) => ({ resourceType: 'ServiceRequest', id, index: '0' });

/** The empty team gets a physician as its lead. */
const team = {
  id: marcel,
  participant: [
    {
      extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: true }],
      role: [{ coding: [roles.primaryCarePhysician] }],
      member: { reference: `Practitioner/${okafor}` },
    },
  ],
};

/** For each operation of the interface but those that correct charts, a request that succeeds with the demo clinic. */
export const demoSamples: Samples = {
  readServiceRequest: { parameters: { id: 'demo-order-1' } },
  vreadServiceRequest: { parameters: { id: 'demo-order-1', version: '1' } },
  historyServiceRequest: { parameters: { id: 'demo-order-1' } },
  searchServiceRequest: { parameters: { patient } },
  searchServiceRequestByForm: { form: { patient } },
  searchServiceRequestOfPatient: { parameters: { id: rosa } },
  readGoal: { parameters: { id: 'demo-goal-1' } },
  vreadGoal: { parameters: { id: 'demo-goal-1', version: '2' } },
  historyGoal: { parameters: { id: 'demo-goal-1' } },
  searchGoal: { parameters: { patient } },
  searchGoalByForm: { form: { patient } },
  searchGoalOfPatient: { parameters: { id: rosa } },
  readCareTeam: { parameters: { id: rosa } },
  vreadCareTeam: { parameters: { id: rosa, version: '1' } },
  historyCareTeam: { parameters: { id: rosa } },
  updateCareTeam: { parameters: { id: team.id }, body: team },
  searchCareTeam: { parameters: { patient } },
  searchCareTeamByForm: { form: { patient } },
  searchCareTeamOfPatient: { parameters: { id: rosa } },
  readImmunization: { parameters: { id: 'demo-immunization-1' } },
  vreadImmunization: { parameters: { id: 'demo-immunization-1', version: '1' } },
  historyImmunization: { parameters: { id: 'demo-immunization-1' } },
  searchImmunization: { parameters: { patient } },
  searchImmunizationByForm: { form: { patient } },
  searchImmunizationOfPatient: { parameters: { id: rosa } },
  readAllergyIntolerance: { parameters: { id: 'demo-allergy-1' } },
  vreadAllergyIntolerance: { parameters: { id: 'demo-allergy-1', version: '1' } },
  historyAllergyIntolerance: { parameters: { id: 'demo-allergy-1' } },
  searchAllergyIntolerance: { parameters: { patient } },
  searchAllergyIntoleranceByForm: { form: { patient } },
  searchAllergyIntoleranceOfPatient: { parameters: { id: rosa } },
  createAllergyIntolerance: { body: nuts },
  updateAllergyIntolerance: { parameters: { id: outgrown.id }, body: outgrown },
  createImmunization: { body: statement },
  updateImmunization: { parameters: { id: retracted.id }, body: retracted },
  searchCommands: { parameters: { patient: rosa } },
  createCommand: { body: stagedOrder },
  readCommandsOfResource: { parameters: { resourceType: 'Goal', id: 'demo-goal-1' } },
  readCommand: { parameters: { resourceType: 'Goal', id: 'demo-goal-1', index: '0' } },
  commitCommand: { parameters: firstOf('demo-order-5') },
  completeCommand: { parameters: firstOf('demo-order-2') },
  reopenCommand: { parameters: firstOf('demo-order-2') },
  enterInErrorCommand: { parameters: firstOf('demo-order-6') },
  discardCommand: { parameters: firstOf('demo-order-9') },
  setParticipantStatus: {
    parameters: { id: rosa },
    body: { member: `Organization/${homeCare}`, status: 'suspended' },
  },
  previewMove: {
    parameters: {
      ...{ resourceType: 'ServiceRequest', resourceId: 'demo-order-1' },
      ...{ patientId: rosa, toPatientId: marcel },
    },
  },
  previewMerge: { parameters: { patientId: marcel, toPatientId: rosa } },
  readCorrections: { parameters: { resourceType: 'Patient', id: rosa } },
  readProvenance: { parameters: { id: 'G-demo-goal-1-2' } },
  searchProvenance: { parameters: { target: 'Goal/demo-goal-1' } },
  searchProvenanceByForm: { form: { target: 'Goal/demo-goal-1' } },
  searchPatient: { parameters: { name: 'Rosa' } },
  searchPatientByForm: { form: { name: 'Rosa' } },
  searchPractitioner: { parameters: { name: 'Okafor' } },
  searchPractitionerByForm: { form: { name: 'Okafor' } },
  searchOrganization: { parameters: { name: 'Harbor' } },
  searchOrganizationByForm: { form: { name: 'Harbor' } },
  readPatient: { parameters: { id: rosa } },
  operationPatient: { parameters: { id: rosa } },
  readPractitioner: { parameters: { id: okafor } },
  readOrganization: { parameters: { id: homeCare } },
  readEncounter: { parameters: { id: rosaVisit } },
  readCondition: { parameters: { id: conditionIds[rosa] } },
  readLocation: { parameters: { id: location } },
};
