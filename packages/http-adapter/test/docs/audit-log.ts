import { createAuditLog, createClinicalRecords } from '@clinical-records/core';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../clinic.ts';

/** Opens the records of a file with a log, looks at a chart, and returns the users who looked. */
export const lookAndAsk = async (filename: string): Promise<readonly string[]> => {
  // #region open
  const store = openSqliteStore({ filename });
  const auditStore = openSqliteAuditStore({ store });
  const audit = createAuditLog({ store: auditStore, site: 'https://clinic.example/fhir' });

  const records = createClinicalRecords({
    ...{ store, extensionBase, careTeamRoles: [] },
    onAccess: audit.onAccess,
  });
  // #endregion
  await records.goals.search({ patient: '7' }, { by: 'Practitioner/12' });
  // #region search
  const { events, next } = await audit.search({ patientIds: ['7'], count: 20 });
  const users = events.map(({ agent }) => agent.find(({ requestor }) => requestor)?.who.reference);
  // #endregion
  await auditStore.close();
  await store.close();
  return [...users, next].map(String);
};
