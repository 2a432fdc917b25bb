import { setTimeout as pause } from 'node:timers/promises';
import { type ClinicalRecords, ClinicalRecordsError, type Copy } from '@clinical-records/core';
import {
  type ClinicalStore,
  checkOptionNames,
  misuseError,
  type OptionNames,
  orThrow,
  requireFunction,
} from '@clinical-records/core/store';
import { sql } from 'kysely';
import { openPostgresStore } from '../open-postgres-store.ts';
import { ignoreError } from '../postgres-errors.ts';
import { findTenant, runSql } from './find-tenant.ts';
import { rowsOn } from './migrate.ts';
import { asOwner, createTenant, isTenant, setTenantReadOnly, type TenantOptions } from './tenants.ts';

/** A move of a tenant to another server, or to another schema. */
export type TenantMove = {
  /** The records of the tenant where it is now, with all of its types. */
  readonly records: Pick<ClinicalRecords, 'copyTo'>;
  /** Where the tenant is now. */
  readonly from: TenantOptions;
  /** Where it moves to. It is created there, unless it exists. */
  readonly to: TenantOptions;
  /** Writes the new place into your table of clinics, from which all of your processes open the store of the tenant. */
  readonly switchOver: () => Promise<unknown>;
  /** Is called after each batch with the number of versions that are copied. An error that it throws ends the move. */
  readonly onProgress?: ((versions: number) => void) | undefined;
};

const optionNames: OptionNames<TenantMove> = {
  records: true,
  from: true,
  to: true,
  switchOver: true,
  onProgress: true,
};

type Head = { readonly position: number; readonly digest: string; readonly isReadOnly: boolean };

/** The end of the feed of a tenant. */
const readHead = (options: TenantOptions): Promise<Head> =>
  asOwner(options, options.tenant, async (client, builder) => {
    const number = await findTenant(rowsOn(client), builder);
    const [row] = await runSql(
      rowsOn(client),
      builder,
      sql`select position::text, digest, read_only from ${builder.table('head')} where tenant = ${number}`,
    );
    const head = row as { readonly position: string; readonly digest: string; readonly read_only: boolean };
    return { position: Number(head.position), digest: head.digest, isReadOnly: head.read_only };
  });

/** Writes stop once a copy lacks at most so many versions, which are copied in about a second. */
const nearEnd = 1000;

/** How many milliseconds after the ends of both feeds were read they are read again. */
const interval = 100;

/** The number of versions that a copy lacks. */
const countMissing = async (from: TenantOptions, target: ClinicalStore): Promise<number> => {
  const end = await orThrow(target.feedEnd());
  return (await readHead(from)).position - Number(end?.position ?? 0);
};

/** Whether nothing can be written to a tenant any more, and a target has all of it, such as after a move that was interrupted. */
const isMoved = async (from: TenantOptions, target: ClinicalStore): Promise<boolean> => {
  const { position, digest, isReadOnly } = await readHead(from);
  if (!isReadOnly) return false;
  const end = await orThrow(target.feedEnd());
  if (position === 0 || end === null) return position === 0;
  const feed = await target.changesSince({
    position: `${position}` as typeof end.position,
    digest,
    limit: 1,
  });
  return feed._tag === 'Right';
};

const otherRecords = ({ tenant }: TenantOptions) =>
  misuseError(`\`records\` must be those of the tenant ${tenant} where it is now.`);

/** Copies the feed of a tenant, and makes the tenant read-only before the last versions. If that fails, it can be written again. */
const copyToTheEnd = async (
  { records, from, onProgress }: TenantMove,
  target: ClinicalStore,
): Promise<void> => {
  const { isReadOnly: wasReadOnly } = await readHead(from);
  const end = new AbortController();
  const copying: Promise<Copy> = records.copyTo(target, { follow: end.signal, onProgress });
  // It may fail while something else is awaited.
  copying.catch(ignoreError);
  try {
    while ((await countMissing(from, target)) > nearEnd) await Promise.race([copying, pause(interval)]);
    await setTenantReadOnly({ ...from, isReadOnly: true });
    end.abort();
    const { head } = await copying;
    const { position, digest } = await readHead(from);
    if (position > 0 && head !== `${position}:${digest}`) throw new ClinicalRecordsError(otherRecords(from));
  } catch (cause) {
    end.abort();
    await copying.catch(ignoreError);
    if (!wasReadOnly) await setTenantReadOnly({ ...from, isReadOnly: false });
    throw cause;
  }
};

/**
 * Moves a tenant to another server while it works. Its records are copied while they are read and written. Writes are refused only until
 * the last versions are copied: with `store-not-writable`, a 503 with `Retry-After`. Then `switchOver` is called, and the tenant stays
 * read-only where it was. Its audit log is not moved.
 *
 * If the move is interrupted, call it again, and it continues. If it fails before `switchOver`, the tenant can be written as
 * before. If `switchOver` fails, it may have written, so the tenant stays read-only until the move is called again. Rejects
 * with a `ClinicalRecordsError`, or with the error of `switchOver` or `onProgress`.
 *
 * @example
 * await moveTenant({
 *   records,
 *   from: { pool: ownersPool, tenant: 'clinic-7' },
 *   to: { pool: ownersPoolOfServer2, tenant: 'clinic-7' },
 *   switchOver: () => app.query(`update clinics set server = 'server-2' where name = 'clinic-7'`),
 * });
 */
export const moveTenant = async (move: TenantMove): Promise<void> => {
  checkOptionNames('moveTenant', move, optionNames);
  requireFunction(
    move,
    'switchOver',
    '`switchOver` must be a function that writes the new place of the tenant.',
  );
  const { from, to, switchOver } = move;
  if (!(await isTenant(to))) await createTenant(to);
  const target = openPostgresStore(to);
  try {
    if (!(await isMoved(from, target))) await copyToTheEnd(move, target);
    await switchOver();
  } finally {
    await target.close();
  }
};
