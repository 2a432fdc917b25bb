import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ClinicalRecords,
  ClinicalRecordsError,
  type ClinicalStore,
  createClinicalRecords,
} from '@clinical-records/core';
import { createHttpHandler, type HttpResponse } from '@clinical-records/http-adapter';
import { jwtAuthentication } from '@clinical-records/http-adapter/jwt';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';

// A host as small as one can be: `npm run check:packages` compiles and runs it against the packages as they are published.

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

const readCareTeam = async (store: ClinicalStore): Promise<HttpResponse> => {
  const records: ClinicalRecords = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [cardiologist],
  });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  await records.careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', { role: cardiologist });

  const handler = createHttpHandler(records, {
    basePath: '/fhir',
    authenticate: (token) => (token === 'secret' ? { subject: 'Person/me', scopes: ['user/*.read'] } : null),
  });
  return handler({ method: 'GET', url: '/fhir/CareTeam/7', headers: { authorization: 'Bearer secret' } });
};

const main = async (): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-host-'));
  try {
    for (const store of [createMemoryStore(), openSqliteStore({ filename: join(folder, 'clinic.db') })]) {
      const { status, body } = await readCareTeam(store);
      assert.equal(status, 200, body);
      assert.equal(JSON.parse(body).participant[0].member.reference, 'Practitioner/12');
      await store.close();
      await assert.rejects(async () => store.close(), ClinicalRecordsError);
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
};

assert.throws(() => jwtAuthentication({ issuer: '', audience: 'host', jwks: { keys: [] } }), TypeError);
void main();
