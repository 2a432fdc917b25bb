import { z } from 'zod';
import { type Coding, outputCoding, outputConcept } from '../fhir/coding.ts';
import { dateTime } from '../fhir/date-time.ts';
import { meta } from '../fhir/meta.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { named, type SchemaOutput } from '../fhir/schema-output.ts';

export const dataOperationSystem = 'http://terminology.hl7.org/CodeSystem/v3-DataOperation';
export const participantTypeSystem = 'http://terminology.hl7.org/CodeSystem/provenance-participant-type';
export const usCoreParticipantTypeSystem =
  'http://hl7.org/fhir/us/core/CodeSystem/us-core-provenance-participant-type';
export const absentReasonUrl = 'http://hl7.org/fhir/StructureDefinition/data-absent-reason';

/** The types of resources that can be an agent. Source: FHIR R4, Provenance.agent.who. */
export const agentTypes = [
  'Practitioner',
  'PractitionerRole',
  'RelatedPerson',
  'Patient',
  'Device',
  'Organization',
] as const;

const targetOf = (types: readonly ResourceType[]) =>
  z.object({
    /** The version, such as `Goal/1/_history/3`. */
    reference: z
      .templateLiteral([z.enum(types), '/', z.string(), '/_history/', z.string()])
      .meta({ examples: ['Goal/1/_history/3'] }),
    type: z.enum(types),
  });

/** The version of a resource that a Provenance is about. */
export interface ProvenanceTarget extends SchemaOutput<ReturnType<typeof targetOf>> {}

/** The code of what was done. */
export interface ProvenanceActivityCoding extends Coding<typeof dataOperationSystem, 'CREATE' | 'UPDATE'> {}

/** The code of the part that an agent had. */
export interface ProvenanceAgentCoding
  extends Coding<
    typeof participantTypeSystem | typeof usCoreParticipantTypeSystem,
    'author' | 'transmitter'
  > {}

const absentReason = z.object({
  /** FHIR's extension for a missing value. */
  url: z.literal(absentReasonUrl),
  /** Always `unknown`. */
  valueCode: z.literal('unknown'),
});

/** The reason why an agent is missing. */
export interface AbsentReasonExtension extends SchemaOutput<typeof absentReason> {}

const who = z.object({
  /** Present if nobody was named as the author. */
  extension: z.array(named<AbsentReasonExtension>(absentReason)).exactOptional(),
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
export interface ProvenanceWho extends SchemaOutput<typeof who> {}

const agent = z.object({
  /** The part that the agent had: author or transmitter. */
  type: outputConcept(
    named<ProvenanceAgentCoding>(
      outputCoding(
        z.enum([participantTypeSystem, usCoreParticipantTypeSystem]),
        z.enum(['author', 'transmitter']),
      ),
    ),
  ),
  /** The agent. */
  who: named<ProvenanceWho>(who),
  /** The organization for which the agent acted. */
  onBehalfOf: named<ProvenanceWho>(who).exactOptional(),
});

/** An author, or the organization that provides the resource. */
export interface ProvenanceAgent extends SchemaOutput<typeof agent> {}

/** The schema of a Provenance of resources of some types. */
export const provenance = (types: readonly ResourceType[]) =>
  z.object({
    resourceType: z.literal('Provenance'),
    /** The id: the initial of the type, the id and the version of the target. */
    id: z.string(),
    /** Always version 1: a Provenance never changes. */
    meta,
    /** The one version that it is about. */
    target: z.array(named<ProvenanceTarget>(targetOf(types))),
    /** When the version was written. */
    recorded: dateTime.describe('When the version was written.'),
    /** Whether the version created the resource, or updated it. */
    activity: outputConcept(
      named<ProvenanceActivityCoding>(
        outputCoding(z.literal(dataOperationSystem), z.enum(['CREATE', 'UPDATE'])),
      ),
    ),
    /** The author of the version, and the organization that provides the resource. */
    agent: z
      .array(named<ProvenanceAgent>(agent))
      .describe('The author of the version, and the organization that provides the resource.'),
  });

/** The author and the time of a version of a resource. Source: docs/http-interface.md#provenance. */
export interface Provenance extends SchemaOutput<ReturnType<typeof provenance>> {}
