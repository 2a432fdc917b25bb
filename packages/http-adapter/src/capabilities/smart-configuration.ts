/**
 * How clients get a token, as `/.well-known/smart-configuration` says it. Any other element is published, too. Source:
 * SMART App Launch 2.2, "Conformance".
 */
export type SmartConfiguration = {
  /** The URL where a user grants access. */
  readonly authorization_endpoint?: string;
  /** The URL where a client gets its token. */
  readonly token_endpoint: string;
  /** The capabilities of the authorization server, such as `launch-standalone`. */
  readonly capabilities: readonly string[];
  /** Any other element, such as `issuer`. */
  readonly [element: string]: unknown;
};

const serviceSystem = 'http://terminology.hl7.org/CodeSystem/restful-security-service';

const oauthUris = 'http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris';

const uriExtension = (url: string, valueUri: string | undefined) =>
  valueUri === undefined ? [] : [{ url, valueUri }];

/** The elements of a capability statement's `security` that say the same, for clients of SMART 1. */
export const smartCapabilitiesOf = (configuration: SmartConfiguration | undefined) =>
  configuration === undefined
    ? {}
    : {
        extension: [
          {
            url: oauthUris,
            extension: [
              ...uriExtension('authorize', configuration.authorization_endpoint),
              ...uriExtension('token', configuration.token_endpoint),
            ],
          },
        ],
        service: [{ coding: [{ system: serviceSystem, code: 'SMART-on-FHIR', display: 'SMART-on-FHIR' }] }],
      };
