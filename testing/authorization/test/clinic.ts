import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, type HttpHandlerOptions, toNodeListener } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { listen } from './listen.ts';

/** Records of two patients, each with a goal, at a URL that is known before `serve` says how requests are authenticated. */
export const openClinic = async () => {
  const { origin, serve } = await listen();
  const records = createClinicalRecords({
    ...{ store: createMemoryStore(), extensionBase: 'https://clinic.example/extensions', careTeamRoles: [] },
  });
  const by = { by: 'Practitioner/ada' } as const;
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  for (const id of ['amy', 'ben']) {
    await records.directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
    await records.chart.record({ kind: 'goal', id: `goal-${id}`, patientId: id, description: 'Walk' }, by);
  }
  const fhirUrl = `${origin}/fhir`;
  return {
    records,
    fhirUrl,
    serve: (options: Pick<HttpHandlerOptions, 'authenticate' | 'smartConfiguration'>) =>
      serve(toNodeListener(createHttpHandler(records, { basePath: '/fhir', baseUrl: fhirUrl, ...options }))),
    /** The status and the body of a response. */
    request: async (path: string, token: string, init: RequestInit = {}) => {
      const response = await fetch(`${fhirUrl}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      });
      return { status: response.status, json: JSON.parse(await response.text()) };
    },
  };
};
