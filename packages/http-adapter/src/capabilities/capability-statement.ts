import type { InterfaceDescription, ServedType } from '@clinical-records/core';
import packageJson from '../../package.json' with { type: 'json' };
import type { Route } from '../routes.ts';
import type { HostCapabilities } from './host-capabilities.ts';
import { referencedCapabilities, systemExport } from './referenced-capabilities.ts';
import { resourceCapabilitiesOf } from './resource-capabilities.ts';
import { type SmartConfiguration, smartCapabilitiesOf } from './smart-configuration.ts';

/** The sources of a capability statement. */
export type CapabilitySources = {
  readonly routes: readonly Route[];
  readonly description: InterfaceDescription;
  readonly baseUrl: string | undefined;
  /** Whether pages of other origins may use the interface. */
  readonly hasCors: boolean;
  /** Whether `$export` is served. */
  readonly hasBulkExport: boolean;
  readonly smartConfiguration: SmartConfiguration | undefined;
  readonly capabilities: HostCapabilities;
  /** When the server began to publish it. */
  readonly date: Date;
};

/**
 * Describes the interface as FHIR does, from the table of routes and the tables of search parameters, with what the host
 * serves beside it. Source: FHIR R4, CapabilityStatement.
 */
export const createCapabilityStatement = ({
  routes,
  description,
  baseUrl,
  hasCors,
  hasBulkExport,
  smartConfiguration,
  capabilities: { resource: byHost = [], resourceType: _, ...hostElements },
  date,
}: CapabilitySources): Readonly<Record<string, unknown>> => {
  const routesByType = Map.groupBy(routes, ({ type }) => type);
  const isDescribed = (type: string): type is ServedType => Object.hasOwn(description.resources, type);
  const types = [...routesByType.keys()];
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    date: date.toISOString(),
    software: { name: packageJson.name, version: packageJson.version },
    implementation: {
      description: "A patient's chart: care teams, goals, orders and immunizations.",
      ...(baseUrl !== undefined && { url: baseUrl }),
    },
    ...hostElements,
    kind: 'instance',
    fhirVersion: '4.0.1',
    format: ['json'],
    rest: [
      {
        mode: 'server',
        security: {
          cors: hasCors,
          ...smartCapabilitiesOf(smartConfiguration),
          description: 'Each request needs a bearer token with SMART scopes, or a session of the host.',
        },
        resource: [
          ...types
            .filter(isDescribed)
            .map((type) =>
              resourceCapabilitiesOf(type, routesByType.get(type) ?? [], description.resources[type]),
            ),
          ...referencedCapabilities(
            new Map([...routesByType].filter(([type]) => !isDescribed(type))),
            byHost,
            { hasBulkExport },
          ),
        ],
        ...(hasBulkExport && { operation: [systemExport] }),
      },
    ],
  };
};
