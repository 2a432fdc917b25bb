import * as z from 'zod';
import type { ClinicOrganization } from '../environment.ts';
import { usCoreProfile } from '../fhir/bundle.ts';
import { type Coding, outputCoding, outputConcept } from '../fhir/coding.ts';
import { meta } from '../fhir/common-elements.ts';
import { dateTime, formatInstant } from '../fhir/date-time.ts';
import { isBlank } from '../fhir/element.ts';
import { type Agent, type AuthorReference, parseReference } from '../fhir/reference.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { isOneOf, named, type SchemaOutput } from '../fhir/schema.ts';
import type { ResourceFacts } from '../records/definition.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { SearchInput } from '../search/search-input.ts';
import type { IndexEntry } from '../store/index-entry.ts';

/** Names one version of a resource, of which there is one Provenance. */
export type VersionName<Type extends string = string> = {
  /** The type of the resource. */
  readonly type: Type;
  readonly id: string;
  /** Counts from 1. */
  readonly version: number;
};

/** The ids of the Provenances of some types of resources. */
export type ProvenanceIds = {
  readonly types: readonly string[];
  /**
   * The id of the Provenance of a version: the initial of the type, the id of the resource, and the number of the version. It
   * fits into the 64 characters of FHIR if the id of the resource leaves room for these.
   */
  readonly format: (version: VersionName) => string;
  /** The version that an id names; null if it cannot name one. */
  readonly parse: (text: string) => VersionName | null;
};

const provenanceIdPattern = /^([A-Z][A-Za-z]*)-(.+)-([1-9]\d{0,14})$/;

/** Throws if two types have the same initial, because one id would then name versions of both. */
export const createProvenanceIds = (
  facts: readonly Pick<ResourceFacts, 'type' | 'initial'>[],
): ProvenanceIds => {
  const initials = new Map(facts.map(({ type, initial }) => [type, initial]));
  const types = new Map(facts.map(({ type, initial }) => [initial, type]));
  if (types.size < facts.length) {
    throw new RangeError('Two types of resources have the same initial in the ids of their Provenances.');
  }
  return {
    types: [...initials.keys()],
    format: ({ type, id, version }) => `${initials.get(type)}-${id}-${version}`,
    parse: (text) => {
      const [, initial = '', id, version] = provenanceIdPattern.exec(text) ?? [];
      const type = types.get(initial);
      return type === undefined || id === undefined ? null : { type, id, version: Number(version) };
    },
  };
};

const dataOperationSystem = 'http://terminology.hl7.org/CodeSystem/v3-DataOperation';
const participantTypeSystem = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';
const usCoreParticipantTypeSystem =
  'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type';
const absentReasonUrl = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** The types of resources that can be an agent. Source: FHIR R4, Provenance.agent.who. */
const agentTypes = [
  'Practitioner',
  'PractitionerRole',
  'RelatedPerson',
  'Patient',
  'Device',
  'Organization',
] as const;

const createTargetSchema = (types: readonly string[]) =>
  z.object({
    reference: z
      .templateLiteral([z.enum(types), '/', z.string(), '/_history/', z.string()])
      .meta({ examples: ['Goal/1/_history/3'] }),
    type: z.enum(types),
  });

/** The version of a resource that a Provenance is about. */
export interface ProvenanceTarget<Type extends string = ResourceType> {
  /** The version, such as `Goal/1/_history/3`. */
  readonly reference: `${Type}/${string}/_history/${string}`;
  readonly type: Type;
}

/** The code of what was done. */
export interface ProvenanceActivityCoding extends Coding<typeof dataOperationSystem, 'CREATE' | 'UPDATE'> {}

/** The code of the part that an agent had. */
export interface ProvenanceAgentCoding
  extends Coding<
    typeof participantTypeSystem | typeof usCoreParticipantTypeSystem,
    'author' | 'assembler' | 'transmitter'
  > {}

const absentReasonSchema = z.object({
  /** FHIR's extension for a missing value. */
  url: z.literal(absentReasonUrl),
  /** Always `unknown`. */
  valueCode: z.literal('unknown'),
});

/** The reason why an agent is missing. */
export interface AbsentReasonExtension extends SchemaOutput<typeof absentReasonSchema> {}

const whoSchema = z.object({
  /** Present if nobody was named as the author. */
  extension: z.array(named<AbsentReasonExtension>(absentReasonSchema)).exactOptional(),
  /** The type and the id, such as `Practitioner/12`. */
  reference: z
    .string()
    .exactOptional()
    .meta({ examples: ['Practitioner/12'] }),
  /** The type of the resource, such as `Practitioner`. */
  type: z.enum(agentTypes).exactOptional(),
  /** The name, or an author that no reference of FHIR can name. */
  display: z.string().exactOptional(),
});

/** An agent: a reference, a text, or the reason why there is neither. */
export interface ProvenanceWho extends SchemaOutput<typeof whoSchema> {}

const agentSchema = z.object({
  /** The part that the agent had: author, transmitter, or the software that proposed the change. */
  type: outputConcept(
    named<ProvenanceAgentCoding>(
      outputCoding(
        z.enum([participantTypeSystem, usCoreParticipantTypeSystem]),
        z.enum(['author', 'assembler', 'transmitter']),
      ),
    ),
  ),
  /** The agent. */
  who: named<ProvenanceWho>(whoSchema),
  /** The organization for which the agent acted, or the user for whom the software did. */
  onBehalfOf: named<ProvenanceWho>(whoSchema).exactOptional(),
});

/** An author, the software that proposed the change, or the organization that provides the resource. */
export interface ProvenanceAgent extends SchemaOutput<typeof agentSchema> {}

const reasonSchema = z.object({
  /** The reason in words. */
  text: z.string(),
});

/** Why a version was written. */
export interface ProvenanceReason extends SchemaOutput<typeof reasonSchema> {}

/** The schema of a Provenance of resources of some types. */
export const createProvenanceSchema = (types: readonly string[]) =>
  z.object({
    resourceType: z.literal('Provenance'),
    /** The id: the initial of the type, the id and the version of the target. */
    id: z.string(),
    /** Always version 1: a Provenance never changes. */
    meta,
    target: z.array(named<ProvenanceTarget<string>>(createTargetSchema(types))),
    recorded: dateTime.describe('When the version was written.'),
    /** Whether the version created the resource, or updated it. */
    activity: outputConcept(
      named<ProvenanceActivityCoding>(
        outputCoding(z.literal(dataOperationSystem), z.enum(['CREATE', 'UPDATE'])),
      ),
    ),
    /** Why the version was written: a command was discarded or entered in error, and the reason was said. */
    reason: z
      .array(named<ProvenanceReason>(reasonSchema))
      .exactOptional()
      .describe('Why a command was discarded or entered in error; absent if that was not said.'),
    agent: z
      .array(named<ProvenanceAgent>(agentSchema))
      .describe(
        'The author of the version, the software that proposed it, and the organization that provides the resource.',
      ),
  });

/** The author and the time of a version of a resource. Source: docs/http-interface.md#provenance. */
export interface Provenance<Type extends string = ResourceType>
  extends Omit<SchemaOutput<ReturnType<typeof createProvenanceSchema>>, 'target'> {
  /** The one version that it is about. */
  readonly target: readonly ProvenanceTarget<Type>[];
}

/** The facts about a version that the commands of its resource say. */
export type VersionCircumstances = {
  /** Why a command was discarded or entered in error by it, if that was said. */
  readonly reason?: string | undefined;
  /** The software that staged a command by it, or the command that was committed by it, and the user for whom it did. */
  readonly proposal?: { readonly agent: Agent; readonly actsFor: AuthorReference | null } | undefined;
};

/** The facts about a version that its Provenance says. */
export type VersionFacts = VersionCircumstances & {
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

/** Whether resources of a type can be an agent. */
export const isAgentType = isOneOf(agentTypes);

/** The author as a reference, or as a text if FHIR does not allow the reference of an agent. */
const toWho = (by: string): ProvenanceWho => {
  const type = parseReference(by)?.type;
  return isAgentType(type) ? { reference: by, type } : { display: by };
};

const unknownAuthor: ProvenanceWho = { extension: [{ url: absentReasonUrl, valueCode: 'unknown' }] };

const authorType: ProvenanceAgent['type'] = {
  coding: [{ system: participantTypeSystem, code: 'author', display: 'Author' }],
};

const assemblerType: ProvenanceAgent['type'] = {
  coding: [{ system: participantTypeSystem, code: 'assembler', display: 'Assembler' }],
};

const transmitterType: ProvenanceAgent['type'] = {
  coding: [{ system: usCoreParticipantTypeSystem, code: 'transmitter', display: 'Transmitter' }],
};

const activities = {
  create: { system: dataOperationSystem, code: 'CREATE', display: 'create' },
  update: { system: dataOperationSystem, code: 'UPDATE', display: 'revise' },
} as const;

const orUnknown = (by: string | null): ProvenanceWho =>
  by === null || isBlank(by) ? unknownAuthor : toWho(by);

/** The software that proposed a change, on behalf of the user for whom it did. */
const assemblerOf = ({ agent, actsFor }: NonNullable<VersionFacts['proposal']>): ProvenanceAgent => ({
  type: assemblerType,
  who: { ...toWho(agent.reference), ...(agent.display !== undefined && { display: agent.display }) },
  onBehalfOf: orUnknown(actsFor),
});

/** Derives the Provenance of a version. */
export type DeriveProvenance<Types extends string = string> = <Type extends Types>(
  version: VersionName<Type>,
  facts: VersionFacts,
  organization: ClinicOrganization | null,
) => Provenance<Type>;

/** A Provenance derives only from its version, and is not stored. Source: US Core, Basic Provenance. */
export const createDeriveProvenance =
  ({ format }: Pick<ProvenanceIds, 'format'>): DeriveProvenance =>
  (version, { at, by, isFirst, reason, proposal }, clinic) => {
    const organization: ProvenanceWho | null = clinic && {
      reference: clinic.reference,
      type: 'Organization',
      ...(clinic.display !== undefined && { display: clinic.display }),
    };
    const who = orUnknown(by);
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
      ...(reason !== undefined && { reason: [{ text: reason }] }),
      agent: [
        author,
        ...(proposal === undefined ? [] : [assemblerOf(proposal)]),
        ...(organization === null
          ? []
          : [{ type: transmitterType, who: organization, onBehalfOf: organization }]),
      ],
    };
  };

/** Source: docs/http-interface.md#provenance. */
export const createProvenanceParameters = <Type extends string>(types: readonly Type[]) =>
  ({
    /** The id of the resource. */
    _id: { kind: 'id' },
    /** The resource that it is about, `Goal/1`, or one version of it, `Goal/1/_history/3`. */
    target: { kind: 'reference', types, hasVersions: true },
  }) as const satisfies SearchParameterTable;

/** The search parameters of Provenance. Source: docs/http-interface.md#provenance. */
export interface ProvenanceSearch<Type extends string = ResourceType>
  extends SearchInput<ReturnType<typeof createProvenanceParameters<Type>>> {}

type SearchedProvenance = { readonly id: string; readonly target: VersionName };

/** A Provenance as a search looks at it: it is found by its resource, and by the version. */
export const toSearchable = ({ id: provenanceId, target: { type, id, version } }: SearchedProvenance) => {
  const target = { kind: 'reference', parameter: 'target', type } as const;
  const index: readonly IndexEntry[] = [
    { ...target, id },
    { ...target, id: `${id}/_history/${version}` },
  ];
  return { type: 'Provenance', id: provenanceId, patientId: null, index };
};
