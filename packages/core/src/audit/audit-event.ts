import type { AccessInteraction } from '../access/access.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { type Agent, parseReference } from '../fhir/reference.ts';
import { isAgentType } from '../provenance/model.ts';
import type { AuditedAccess, StoredAuditEntry } from './port.ts';

/** A code of HL7 or DICOM in its system, by which programs tell events apart. */
export type AuditCoding = {
  /** The URI of the code system. */
  readonly system: string;
  readonly code: string;
  /** The text for people. */
  readonly display?: string;
};

/** A reference of an AuditEvent: to a resource, or by an identifier or a name. */
export type AuditReference = {
  /** Type and id, such as `Patient/7`. */
  readonly reference?: string;
  /** A name in the system of the host. */
  readonly identifier?: {
    /** The name. */
    readonly value: string;
  };
  /** The text for people. */
  readonly display?: string;
};

/** Somebody or something that takes part in an access. */
export type AuditAgent = {
  /** The part of the agent in the access. */
  readonly type: {
    /** Its only coding. */
    readonly coding: readonly [AuditCoding];
  };
  /** The user, the program or the server. */
  readonly who: AuditReference;
  /** Whether this agent has begun the access. */
  readonly requestor: boolean;
  /** The address of a client (`2`, an IP address) or of a server (`5`, a URI). */
  readonly network?: {
    /** An IP address or a URI. */
    readonly address: string;
    /** The kind of address. */
    readonly type: '2' | '5';
  };
};

/** Something that an access is about: a resource, a query, a patient, or the request. */
export type AuditEntity = {
  /** The resource or the patient. */
  readonly what?: AuditReference;
  /** Whether it is a person, a resource or another thing. */
  readonly type: AuditCoding;
  /** Its part in the access, such as the patient or the query. */
  readonly role?: AuditCoding;
  /** The query in Base64. */
  readonly query?: string;
};

/** An access in FHIR. Source: FHIR R4, AuditEvent; IHE Basic Audit Log Patterns 1.1.4. */
export type AuditEvent = {
  /** The type of the resource in FHIR. */
  readonly resourceType: 'AuditEvent';
  /** The position in the log. */
  readonly id: string;
  /** The profile of IHE to which it conforms. */
  readonly meta?: {
    /** Its canonical URL. */
    readonly profile: readonly [string];
  };
  /** The kind of event. */
  readonly type: AuditCoding;
  /** The interaction over HTTP, such as a read. */
  readonly subtype?: readonly [AuditCoding];
  /** Create, read, update, delete, or execute, which a search is. */
  readonly action: 'C' | 'R' | 'U' | 'D' | 'E';
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly recorded: string;
  /** `0` for a success, `4` for a refused access, `8` for a failure. */
  readonly outcome: '0' | '4' | '8';
  /** The names of the broken rules. */
  readonly outcomeDesc?: string;
  /** Everybody who takes part. */
  readonly agent: readonly AuditAgent[];
  readonly source: {
    /** The server that recorded it. */
    readonly observer: AuditReference;
  };
  /** Everything that the access is about. */
  readonly entity?: readonly AuditEntity[];
};

const terminology = 'http://terminology.hl7.org/CodeSystem';

const dicomRole = (code: string, display: string): AuditCoding => ({
  system: 'http://dicom.nema.org/resources/ontology/DCM',
  code,
  display,
});
const source = dicomRole('110153', 'Source Role ID');
const destination = dicomRole('110152', 'Destination Role ID');

const participation = (code: string, display: string): AuditCoding => ({
  system: `${terminology}/v3-ParticipationType`,
  code,
  display,
});
const recipient = participation('IRCP', 'information recipient');
const author = participation('AUT', 'author (originator)');
const application = dicomRole('110150', 'Application');
const provenancePart = (code: string, display: string): AuditCoding => ({
  system: `${terminology}/provenance-participant-type`,
  code,
  display,
});
const custodian = provenancePart('custodian', 'Custodian');
const assembler = provenancePart('assembler', 'Assembler');

/** How IHE describes an interaction. The client of a search is the source, because its parameters flow to the server. */
type Pattern = {
  readonly code: string;
  readonly action: AuditEvent['action'];
  readonly client: AuditCoding;
  readonly server: AuditCoding;
  readonly user: AuditCoding;
  /** The profile, if there is one for the interaction. */
  readonly profile?: 'Read' | 'Query' | 'Create' | 'Update' | 'Delete';
};

const reading = { action: 'R', client: destination, server: source, user: recipient } as const;
const writing = { client: source, server: destination, user: author } as const;
const deleting = { client: application, server: custodian, user: author } as const;
const searching = { action: 'E', client: source, server: destination, user: recipient } as const;

/** Source: IHE BALP 1.1.4, Read, Query, Create, Update and Delete. IHE has no profile for a history. */
const patterns: Readonly<Record<AccessInteraction, Pattern>> = {
  read: { code: 'read', ...reading, profile: 'Read' },
  vread: { code: 'vread', ...reading, profile: 'Read' },
  history: { code: 'history-instance', ...reading },
  search: { code: 'search', ...searching, profile: 'Query' },
  operation: { code: 'operation', ...searching },
  create: { code: 'create', action: 'C', ...writing, profile: 'Create' },
  update: { code: 'update', action: 'U', ...writing, profile: 'Update' },
  delete: { code: 'delete', action: 'D', ...deleting, profile: 'Delete' },
};

const whoOf = (by: string): AuditReference =>
  isAgentType(parseReference(by)?.type) ? { reference: by } : { identifier: { value: by } };

const entityType = (code: string, display: string): AuditCoding => ({
  system: `${terminology}/audit-entity-type`,
  code,
  display,
});
const person = entityType('1', 'Person');
const systemObject = entityType('2', 'System Object');

const objectRole = (code: string, display: string): AuditCoding => ({
  system: `${terminology}/object-role`,
  code,
  display,
});
const domainResource = objectRole('4', 'Domain Resource');

const requestEntity = (requestId: string): AuditEntity => ({
  what: { identifier: { value: requestId } },
  type: { system: 'https://profiles.ihe.net/ITI/BALP/CodeSystem/BasicAuditEntityType', code: 'XrequestId' },
});

const patientEntity = (patientId: string): AuditEntity => ({
  what: { reference: `Patient/${patientId}` },
  type: person,
  role: objectRole('1', 'Patient'),
});

const toBase64 = (text: string): string =>
  btoa(Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join(''));

const referenceTo = ({ type, id, version }: AuditedAccess['resources'][number]): AuditReference => ({
  reference: version === null ? `${type}/${id}` : `${type}/${id}/_history/${version}`,
});

/** The query of a search, or the resources that were read or written, or asked for and not found. */
const dataEntities = ({ interaction, resourceType, id, query, resources }: AuditedAccess): AuditEntity[] => {
  if (interaction === 'search') {
    return [
      {
        type: systemObject,
        role: objectRole('24', 'Query'),
        query: toBase64(`${resourceType}?${query}`),
      },
      ...resources.map((resource) => ({
        what: referenceTo(resource),
        type: { system: 'http://hl7.org/fhir/resource-types', code: resource.type },
        role: domainResource,
      })),
    ];
  }
  const what =
    resources.length === 0 && resourceType !== null && id !== null
      ? [{ reference: `${resourceType}/${id}` }]
      : resources.map(referenceTo);
  return what.map((reference) => ({ what: reference, type: systemObject, role: domainResource }));
};

/** The software that acts for the user, as an agent of the event. */
const softwareOf = ({ reference, display }: Agent): AuditAgent => ({
  type: { coding: [assembler] },
  who: { ...whoOf(reference), ...(display !== undefined && { display }) },
  requestor: false,
});

/** The client, the server, the user if there is one, and the software that acts for the user. A call in process comes from the server itself. */
const agentsOf = (
  { by }: StoredAuditEntry,
  { address, client, status, agent }: AuditedAccess,
  site: string,
  roles: Pick<Pattern, 'client' | 'server' | 'user'>,
): readonly AuditAgent[] => {
  const server = { who: { display: site }, network: { address: site, type: '5' } } as const;
  const caller: Pick<AuditAgent, 'who' | 'network'> =
    status === null
      ? server
      : {
          who: client === null ? { display: 'unknown' } : { identifier: { value: client } },
          ...(address !== null && { network: { address, type: '2' } }),
        };
  return [
    { type: { coding: [roles.client] }, ...caller, requestor: by === null },
    { type: { coding: [roles.server] }, ...server, requestor: false },
    ...(by === null ? [] : [{ type: { coding: [roles.user] as const }, who: whoOf(by), requestor: true }]),
    ...(agent === undefined ? [] : [softwareOf(agent)]),
  ];
};

const profileOf = ({ profile }: Pattern, patientId: string | null): string =>
  `https://profiles.ihe.net/ITI/BALP/StructureDefinition/IHE.BasicAudit.${patientId === null ? '' : 'Patient'}${profile}`;

const outcomes = { success: '0', refused: '4', failed: '8' } as const;

/**
 * The AuditEvent of an entry. It names its profile of IHE if it conforms: it was successful, and the address of the client
 * is known. `site` is the name of the server, a URI.
 */
export const deriveAuditEvent = (entry: StoredAuditEntry, site: string): AuditEvent => {
  const access: AuditedAccess = JSON.parse(entry.access);
  const { interaction, outcome, rules, requestId, status, address, requests = 1, expired } = access;
  const reasons = [
    ...rules,
    ...(requests > 1 ? [`${requests} requests`] : []),
    ...(expired === undefined ? [] : [`removed the events up to ${expired}`]),
  ];
  const pattern = interaction === null ? null : patterns[interaction];
  const data = dataEntities(access);
  const entities = [
    ...(requestId === null ? [] : [requestEntity(requestId)]),
    ...data,
    ...(entry.patientId === null ? [] : [patientEntity(entry.patientId)]),
  ];
  // Only a search may have several resources in one event.
  const hasData = interaction === 'search' ? data.length > 0 : data.length === 1;
  const conforms =
    outcome === 'success' && hasData && (status === null || address !== null) && pattern?.profile;
  return {
    resourceType: 'AuditEvent',
    id: `${entry.position}`,
    ...(pattern !== null && conforms && { meta: { profile: [profileOf(pattern, entry.patientId)] } }),
    type: { system: `${terminology}/audit-event-type`, code: 'rest', display: 'RESTful Operation' },
    ...(pattern !== null && {
      subtype: [{ system: 'http://hl7.org/fhir/restful-interaction', code: pattern.code }],
    }),
    action: pattern?.action ?? 'E',
    recorded: formatInstant(entry.at),
    outcome: outcomes[outcome],
    ...(reasons.length > 0 && { outcomeDesc: reasons.join(' ') }),
    agent: agentsOf(entry, access, site, pattern ?? searching),
    source: { observer: { display: site } },
    ...(entities.length > 0 && { entity: entities }),
  };
};
