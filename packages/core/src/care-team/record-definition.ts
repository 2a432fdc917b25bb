import { teamId } from '../directory/team-id.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { deriveCareTeam } from './derive.ts';
import type { TeamRecord } from './model.ts';
import { teamRelations } from './relations.ts';
import { indexCareTeam } from './search-parameters.ts';

/** A team that is not active is found only where it has participants. */
export const defineCareTeamRecord = (extensionBase: string): RecordDefinition<TeamRecord> => ({
  type: 'CareTeam',
  id: ({ patient, status }) => teamId(patient.id, status),
  patientId: ({ patient }) => patient.id,
  derive: (record) =>
    record.status !== 'active' && record.participants.length === 0
      ? null
      : { resource: deriveCareTeam(extensionBase)(record), index: indexCareTeam(record) },
  ...teamRelations,
});
