import type { PreferredReturn } from '@clinical-records/http-adapter';
import type { Access } from './access/access.ts';
import type { DataLocation } from './data-location.ts';

/** The records that a process serves, and how. It can be sent to another process. */
export type Site = {
  readonly data: DataLocation;
  readonly port: number;
  /** Whether other processes listen on the same port. */
  readonly isPortShared: boolean;
  readonly basePath: string;
  /** The origins whose pages may use the interface, or `*` for any; null for none. */
  readonly corsOrigins: '*' | readonly string[] | null;
  readonly defaultReturn: PreferredReturn;
  readonly access: Access;
  readonly hasDemo: boolean;
};
