import type { ClinicOrganization } from '@clinical-records/core';
import type { PreferredReturn } from '@clinical-records/http-adapter';
import type { Access } from '../access/access.ts';
import type { DataLocation } from '../open/data-location.ts';
import type { LogFormat } from './log.ts';

/** The records that a process serves, and how. It can be sent to another process. */
export type Site = {
  readonly data: DataLocation;
  /** The address of this machine on which it is served. */
  readonly host: string;
  readonly port: number;
  /** Whether other processes listen on the same port. */
  readonly isPortShared: boolean;
  /** The secret with which these continue streams of events of one another. */
  readonly eventSecret?: string;
  /** The folder for the files of `$export`; undefined for the one beside the data. */
  readonly bulkExport: string | undefined;
  /** The file with the groups whose patients are exported; undefined for none. */
  readonly groups: string | undefined;
  readonly basePath: string;
  /** The URL of the interface for clients; null for the one at which it is served. */
  readonly baseUrl: string | null;
  /** The origins whose pages may use the interface, or `*` for any; null for none. */
  readonly corsOrigins: '*' | readonly string[] | null;
  readonly defaultReturn: PreferredReturn;
  readonly access: Access;
  readonly hasDemo: boolean;
  /** The organization that the clinic is; null if it is not known. */
  readonly organization: ClinicOrganization | null;
  /** Whether it is served as US Core demands where the interface says otherwise. */
  readonly usCore: boolean;
  readonly log: LogFormat;
  /** Whether requests and calls of the store are recorded with OpenTelemetry. */
  readonly telemetry: boolean;
  /** Whether each access is recorded. */
  readonly audit: boolean;
  /** Whether AI agents are served at `/mcp`. */
  readonly mcp: boolean;
  /** Whether users can move records and merge patients; in the demo clinic they always can. */
  readonly corrections: boolean;
  /** The seconds between the signal to stop and the end of new connections. */
  readonly drain: number;
};
