import type {
  AuthorReference,
  CareTeamRole,
  CareTeamUpdateBody,
  ClinicalRecords,
  MemberReference,
} from '@clinical-records/core';
import { extensionBase, roles } from '../settings.ts';
import {
  anika,
  fatima,
  haddad,
  homeCare,
  lindqvist,
  nils,
  okafor,
  raman,
  reyes,
  rosa,
  tanaka,
} from './people.ts';

type SentParticipant = NonNullable<CareTeamUpdateBody['participant']>[number];

const practitioner = (id: string, role: CareTeamRole, lead?: boolean): SentParticipant => ({
  ...(lead !== undefined && {
    extension: [{ url: `${extensionBase}/careteam-lead`, valueBoolean: lead }],
  }),
  role: [{ coding: [role] }],
  member: { reference: `Practitioner/${id}` },
});

const organization = (id: string): SentParticipant => ({ member: { reference: `Organization/${id}` } });

/** Teams with a lead each, and participants of every status. The team of one patient is empty. */
export const putCareTeams = async ({ careTeams }: Pick<ClinicalRecords, 'careTeams'>): Promise<void> => {
  const by = `Practitioner/${okafor}` as const;
  const team = async (
    id: string,
    participant: CareTeamUpdateBody['participant'],
    author: AuthorReference = by,
  ) => careTeams.update(id, { resourceType: 'CareTeam', id, participant }, { by: author });

  const physician = practitioner(okafor, roles.primaryCarePhysician, true);
  const rosas = [
    physician,
    practitioner(reyes, roles.nurse),
    practitioner(tanaka, roles.dietitian),
    organization(homeCare),
  ];
  // The social worker leaves once she has helped.
  await team(rosa, [...rosas, practitioner(raman, roles.socialWorker)]);
  await team(rosa, rosas);
  await team(nils, [practitioner(lindqvist, roles.cardiologist, true), practitioner(reyes, roles.nurse)]);
  await team(anika, [physician, practitioner(haddad, roles.physiotherapist)]);
  // The physiotherapist is not sent again, and so becomes inactive.
  await team(anika, [physician]);

  const fatimas = [physician, practitioner(tanaka, roles.dietitian)];
  await team(fatima, fatimas);
  // The home care service joins by a system of its own.
  await team(fatima, [...fatimas, organization(homeCare)], `Organization/${homeCare}`);

  const status = async (patient: string, member: MemberReference, ...[is, role]: StatusChange) =>
    careTeams.setParticipantStatus(patient, member, is, { by, role });
  await status(rosa, `Practitioner/${lindqvist}`, 'proposed', roles.cardiologist);
  await status(rosa, `Practitioner/${haddad}`, 'entered-in-error', roles.physiotherapist);
  await status(nils, `Practitioner/${tanaka}`, 'suspended', roles.dietitian);
};

type StatusChange = [status: 'proposed' | 'suspended' | 'entered-in-error', role: CareTeamRole];
