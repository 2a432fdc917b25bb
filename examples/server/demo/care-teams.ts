import type {
  CareTeamRole,
  CareTeamUpdateBody,
  ClinicalRecords,
  MemberReference,
} from '@clinical-records/core';
import { extensionBase, roles } from '../settings.ts';
import { anika, haddad, homeCare, lindqvist, nils, okafor, reyes, rosa, tanaka } from './people.ts';

type SentParticipant = NonNullable<CareTeamUpdateBody['participant']>[number];

const practitioner = (id: string, role: CareTeamRole, lead?: boolean): SentParticipant => ({
  ...(lead !== undefined && {
    extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: lead }],
  }),
  role: [{ coding: [role] }],
  member: { reference: `Practitioner/${id}` },
});

const organization = (id: string): SentParticipant => ({ member: { reference: `Organization/${id}` } });

/** Three teams, each with a lead, and participants of every status. The fourth patient's team is empty. */
export const putCareTeams = async ({ careTeams }: ClinicalRecords): Promise<void> => {
  const by = `Practitioner/${okafor}` as const;
  const team = async (id: string, participant: CareTeamUpdateBody['participant']) =>
    careTeams.update(id, { resourceType: 'CareTeam', id, participant }, { by });

  const physician = practitioner(okafor, roles.primaryCarePhysician, true);
  await team(rosa, [
    physician,
    practitioner(reyes, roles.nurse),
    practitioner(tanaka, roles.dietitian),
    organization(homeCare),
  ]);
  await team(nils, [practitioner(lindqvist, roles.cardiologist, true), practitioner(reyes, roles.nurse)]);
  await team(anika, [physician, practitioner(haddad, roles.physiotherapist)]);
  // The physiotherapist is not sent again, and so becomes inactive.
  await team(anika, [physician]);

  const status = async (patient: string, member: MemberReference, ...[is, role]: StatusChange) =>
    careTeams.setParticipantStatus(patient, member, is, { by, role });
  await status(rosa, `Practitioner/${lindqvist}`, 'proposed', roles.cardiologist);
  await status(rosa, `Practitioner/${haddad}`, 'entered-in-error', roles.physiotherapist);
  await status(nils, `Practitioner/${tanaka}`, 'suspended', roles.dietitian);
};

type StatusChange = [status: 'proposed' | 'suspended' | 'entered-in-error', role: CareTeamRole];
