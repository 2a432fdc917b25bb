import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../data/clinic.ts';
import { serveListener } from './serve-listener.ts';
import { token } from './token.ts';

const [filename = ''] = process.argv.slice(2);

const principals = new Map([[token, { subject: 'Practitioner/bench', scopes: ['user/*.cruds'] as const }]]);
const records = createClinicalRecords({
  store: openSqliteStore({ filename }),
  extensionBase,
  careTeamRoles: [],
});

serveListener(
  toNodeListener(
    createHttpHandler(records, {
      authenticate: (sent) => principals.get(sent) ?? null,
      basePath: '/fhir',
      onError: (cause) => console.error(cause),
    }),
  ),
);
