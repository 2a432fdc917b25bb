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
  // #region expire
  const tenYears = 10 * 365 * 24 * 60 * 60 * 1000;
  const { removed } = await audit.expire({ until: Date.now() - tenYears, by: 'Device/retention' });
  const { head, discrepancies } = await audit.verify();
  // #endregion
  await auditStore.close();
  await store.close();
  if (removed > 0 || head === '0:' || discrepancies.length > 0) throw new Error('The log is not as it was.');
  return [...users, next].map(String);
};
