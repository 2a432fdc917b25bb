import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ClinicalRecords, type ClinicalStore, createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';

export const token = 'token-of-ada';

export const smartConfiguration = {
  authorization_endpoint: 'https://login.example/authorize',
  token_endpoint: 'https://login.example/token',
  capabilities: ['launch-standalone', 'client-public', 'permission-v2'],
  code_challenge_methods_supported: ['S256'],
} as const;

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

/** The goals of Amy, of which some have a second version. */
export const goalCount = 250;

/** The patients whose charts change, one for each client. */
const patients = ['kit', 'smart', 'medplum'] as const;

const fill = async ({ directory, chart }: ClinicalRecords): Promise<void> => {
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  await Promise.all(
    ['amy', ...patients].map((id) => directory.put('Patient', { id, lastName: 'Shaw', firstName: id })),
  );
  const by = { by: 'Practitioner/ada' } as const;
  await Promise.all(
    Array.from({ length: goalCount }, (_, index) =>
      chart.record(
        { kind: 'goal', id: `goal-${index}`, patientId: 'amy', description: `Walk ${index} km` },
        by,
      ),
    ),
  );
  await chart.record({ kind: 'closeGoal', goalId: 'goal-0', achievementStatus: 'achieved' }, by);
};

/** A server of a small clinic, for clients. */
export type Clinic = {
  /** The URL of the interface as FHIR clients expect it: the response to a write contains the resource. */
  readonly baseUrl: string;
  /** The URL of the same interface with its defaults: the response to a write is `null`. */
  readonly nullUrl: string;
  readonly close: () => Promise<void>;
};

export const startClinic = async (store: ClinicalStore): Promise<Clinic> => {
  const records = createClinicalRecords({
    ...{ store, extensionBase: 'https://clinic.example/fhir/extensions', careTeamRoles: [cardiologist] },
  });
  await fill(records);
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const createListener = (basePath: string, defaultReturn: 'minimal' | 'representation') =>
    toNodeListener(
      createHttpHandler(records, {
        authenticate: (sent) =>
          sent === token ? { subject: 'Practitioner/ada', scopes: ['user/*.*'] } : null,
        ...{ basePath, baseUrl: origin + basePath, links: 'absolute', smartConfiguration, defaultReturn },
      }),
    );
  const [fhir, plain] = [createListener('/fhir', 'representation'), createListener('/null', 'minimal')];
  server.on('request', (request, response) =>
    (request.url?.startsWith('/null/') ? plain : fhir)(request, response),
  );
  return {
    baseUrl: `${origin}/fhir`,
    nullUrl: `${origin}/null`,
    close: async () => {
      server.closeAllConnections();
      await once(server.close(), 'close');
      await store.close();
    },
  };
};
