import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import type { AuthorizationQuestion, Authorize, HostResources, HttpHandlerOptions } from '../../src/index.ts';
import { goal, oneCommandOfEach } from '../builders.ts';
import { type Clinic, createHandler, createSender, openClinic } from '../clinic.ts';

/** The host has resources of each patient, and one that belongs to nobody. */
export const hostResources: HostResources = {
  types: ['Condition', 'Device', 'Medication'],
  read: (type, id) => {
    if (type === 'Medication') return id === 'statin' ? { resourceType: type, id } : null;
    return ['amy', 'ben'].includes(id)
      ? { resourceType: type, id, subject: { reference: `Patient/${id}` } }
      : null;
  },
  searches: {
    Condition: {
      parameters: [{ name: 'patient', type: 'reference', documentation: 'The id of the patient.' }],
      find: (conditions, { within = ['amy', 'ben'] }) => {
        const resources = ['amy', 'ben']
          .filter((id) => within.includes(id) && conditions.every(([, patientId]) => patientId === id))
          .map((id) => ({ resourceType: 'Condition', id, subject: { reference: `Patient/${id}` } }));
        return { total: resources.length, resources };
      },
    },
  },
};

/** A clinic with a record of each type and a staged goal in the charts of Amy and Ben. */
export const openCharts = async (store: ClinicalStore = createMemoryStore()): Promise<Clinic> => {
  const clinic = await openClinic(store);
  for (const patientId of ['amy', 'ben']) {
    for (const command of oneCommandOfEach({ id: patientId, patientId })) await clinic.record(command);
    await clinic.stage(goal({ id: `staged-${patientId}`, patientId }));
  }
  return clinic;
};

/** Sends requests to a clinic whose host answers in one way, and notes the questions and the errors of its log. */
export const askedBy = (
  { records }: Clinic,
  authorize: Authorize,
  options: Partial<HttpHandlerOptions> = {},
) => {
  const questions: AuthorizationQuestion[] = [];
  const errors: Error[] = [];
  const handler = createHandler(records, {
    hostResources,
    chartCommands: true,
    authorize: (question) => {
      questions.push(question);
      return authorize(question);
    },
    onError: (cause) => {
      errors.push(cause);
    },
    ...options,
  });
  return { questions, errors, send: createSender(handler) };
};
