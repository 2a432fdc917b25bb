import { formatInstant } from '../fhir/date-time.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { parseReference } from '../fhir/reference.ts';
import { type UsCoreOptions, usCoreProfile } from '../fhir/us-core.ts';
import {
  absentReasonUrl,
  agentTypes,
  dataOperationSystem,
  type Provenance,
  type ProvenanceAgent,
  type ProvenanceWho,
  participantTypeSystem,
  usCoreParticipantTypeSystem,
} from './model.ts';
import type { ProvenanceIds, VersionName } from './provenance-id.ts';

/** The facts about a version that its Provenance says. */
export type VersionFacts = {
  /** In milliseconds since 1970 in UTC. */
  readonly at: number;
  /** The author; null if nobody was named. */
  readonly by: string | null;
  /** Whether it is the first version that can be read. */
  readonly isFirst: boolean;
};

/** The authors who act for the organization. A patient or a relative acts for nobody else. */
const actForOrganization: readonly string[] = ['Practitioner', 'PractitionerRole', 'Device'];

/** The authors who must act for an organization. Source: US Core, us-core-provenance, provenance-1. */
const mustActForOrganization: readonly string[] = ['Practitioner', 'Device'];

const isAgentType = isOneOf(agentTypes);

/** The author as a reference, or as a text if FHIR does not allow the reference of an agent. */
const toWho = (by: string): ProvenanceWho => {
  const type = parseReference(by)?.type;
  return isAgentType(type) ? { reference: by, type } : { display: by };
};

const unknownAuthor: ProvenanceWho = { extension: [{ url: absentReasonUrl, valueCode: 'unknown' }] };

const authorType: ProvenanceAgent['type'] = {
  coding: [{ system: participantTypeSystem, code: 'author', display: 'Author' }],
};

const transmitterType: ProvenanceAgent['type'] = {
  coding: [{ system: usCoreParticipantTypeSystem, code: 'transmitter', display: 'Transmitter' }],
};

const activities = {
  create: { system: dataOperationSystem, code: 'CREATE', display: 'create' },
  update: { system: dataOperationSystem, code: 'UPDATE', display: 'revise' },
} as const;

/** Derives the Provenance of a version. */
export type DeriveProvenance = (
  version: VersionName,
  facts: VersionFacts,
  usCore: UsCoreOptions | null,
) => Provenance;

/** A Provenance derives only from its version, and is not stored. Source: US Core, Basic Provenance. */
export const createDeriveProvenance =
  ({ format }: Pick<ProvenanceIds, 'format'>): DeriveProvenance =>
  (version, { at, by, isFirst }, usCore) => {
    const organization: ProvenanceWho | null = usCore && {
      reference: usCore.organization.reference,
      type: 'Organization',
      ...(usCore.organization.display !== undefined && { display: usCore.organization.display }),
    };
    const who = by === null || by.trim() === '' ? unknownAuthor : toWho(by);
    const { type = '' } = who;
    const author: ProvenanceAgent = {
      type: authorType,
      who,
      ...(organization !== null && actForOrganization.includes(type) && { onBehalfOf: organization }),
    };
    const conforms = organization !== null || !mustActForOrganization.includes(type);
    const recorded = formatInstant(at);
    return {
      resourceType: 'Provenance',
      id: format(version),
      meta: {
        versionId: '1',
        lastUpdated: recorded,
        ...(conforms && { profile: [usCoreProfile('Provenance')] }),
      },
      target: [
        { reference: `${version.type}/${version.id}/_history/${version.version}`, type: version.type },
      ],
      recorded,
      activity: { coding: [isFirst ? activities.create : activities.update] },
      agent: [author, ...(organization === null ? [] : [{ type: transmitterType, who: organization }])],
    };
  };
