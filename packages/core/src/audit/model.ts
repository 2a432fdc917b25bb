/** A coding of an AuditEvent. */
export type AuditCoding = {
  /** The URI of the code system. */
  readonly system: string;
  /** The code in this system. */
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
