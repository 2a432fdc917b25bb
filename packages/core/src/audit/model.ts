/** A coding of an AuditEvent. */
export type AuditCoding = {
  readonly system: string;
  readonly code: string;
  readonly display?: string;
};

/** A reference of an AuditEvent: to a resource, or by an identifier or a name. */
export type AuditReference = {
  readonly reference?: string;
  readonly identifier?: { readonly value: string };
  readonly display?: string;
};

/** Somebody or something that takes part in an access. */
export type AuditAgent = {
  readonly type: { readonly coding: readonly [AuditCoding] };
  readonly who: AuditReference;
  /** Whether this agent has begun the access. */
  readonly requestor: boolean;
  /** The address of a client (`2`, an IP address) or of a server (`5`, a URI). */
  readonly network?: { readonly address: string; readonly type: '2' | '5' };
};

/** Something that an access is about: a resource, a query, a patient, or the request. */
export type AuditEntity = {
  readonly what?: AuditReference;
  readonly type: AuditCoding;
  readonly role?: AuditCoding;
  /** The query in Base64. */
  readonly query?: string;
};

/** An access in FHIR. Source: FHIR R4, AuditEvent; IHE Basic Audit Log Patterns 1.1.4. */
export type AuditEvent = {
  readonly resourceType: 'AuditEvent';
  /** The position in the log. */
  readonly id: string;
  /** The profile of IHE to which it conforms. */
  readonly meta?: { readonly profile: readonly [string] };
  readonly type: AuditCoding;
  readonly subtype?: readonly [AuditCoding];
  /** Create, read, update, or execute, which a search is. */
  readonly action: 'C' | 'R' | 'U' | 'E';
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly recorded: string;
  /** `0` for a success, `4` for a refused access, `8` for a failure. */
  readonly outcome: '0' | '4' | '8';
  /** The names of the broken rules. */
  readonly outcomeDesc?: string;
  readonly agent: readonly AuditAgent[];
  readonly source: { readonly observer: AuditReference };
  readonly entity?: readonly AuditEntity[];
};
