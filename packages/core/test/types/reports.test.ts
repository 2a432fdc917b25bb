import { expectTypeOf, test } from 'vitest';
import type { AccessOptions } from '../../src/access/access.ts';
import type { Reports } from '../../src/access/report-calls.ts';
import type { ClinicalRecords } from '../../src/index.ts';

type Service = {
  readonly read: (id: string, options?: AccessOptions) => Promise<string>;
  readonly create: (body: unknown, options?: AccessOptions) => Promise<string>;
  readonly all: (options?: AccessOptions) => AsyncGenerator<string>;
  readonly erase: (erasure: { readonly id: string; readonly by: string }) => Promise<string>;
  readonly stage: (body: unknown) => Promise<string>;
  readonly asJson: { readonly read: (id: string, options?: AccessOptions) => Promise<string> };
  readonly feed: { readonly end: () => Promise<string> };
};

test('each function that can name a user has a report, also beside a body of an unknown type', () => {
  expectTypeOf<keyof Reports<Service>>().toEqualTypeOf<'read' | 'create' | 'all' | 'erase' | 'asJson'>();
});

test('a function without its report does not compile', () => {
  const read = (id: string, user?: AccessOptions) => ({ interaction: 'read', type: null, id, user }) as const;
  const all = (user?: AccessOptions) => ({ interaction: 'search', type: null, user }) as const;
  const create = (_: unknown, user?: AccessOptions) => ({ interaction: 'create', type: null, user }) as const;
  const erase = (user: { readonly by: string }) => ({ interaction: 'delete', type: null, user }) as const;
  const complete: Reports<Service> = { read, all, create, erase, asJson: { read } };
  expectTypeOf(complete).toEqualTypeOf<Reports<Service>>();
  // @ts-expect-error there is no report of `create`
  const lacksWrite: Reports<Service> = { read, all, erase, asJson: { read } };
  // @ts-expect-error there is no report of `asJson.read`
  const lacksJson: Reports<Service> = { read, all, create, erase, asJson: {} };
  expectTypeOf([lacksWrite, lacksJson]).toBeArray();
});

test('the services of the records whose calls can name a user', () => {
  expectTypeOf<
    keyof Reports<Omit<ClinicalRecords, 'access' | 'bodies' | 'in' | 'transaction'>>
  >().toEqualTypeOf<
    | ('serviceRequests' | 'goals' | 'careTeams' | 'immunizations' | 'provenance')
    | ('chart' | 'directory' | 'corrections' | 'exporter')
  >();
});
