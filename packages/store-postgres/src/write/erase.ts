import { sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import { createStatement, type QueryBuilder } from '../statement.ts';
import { createRaiseFence } from './feed-head.ts';
import type { NumberedVersion } from './prepared-commit.ts';

type PriorState = {
  readonly type: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
};

const priorStatesOf = ({ type, id, priorStates }: NumberedVersion): readonly PriorState[] =>
  (priorStates ?? []).map((state, index) => ({ type, id, version: index + 1, state }));

/** Creates the queries of a transaction that erases versions, after it has written the versions that say so. */
export const createErase = (builder: QueryBuilder) => {
  const { table } = builder;
  const eraseVersions = createStatement<readonly PriorState[]>(
    builder,
    'erase',
    (placeholder) => sql`
      with prior as materialized (
        select records.tenant, records.position as record, given.version, given.state
        from unnest(
          ${placeholder('text[]', (states) => states.map(({ type }) => type))},
          ${placeholder('text[]', (states) => states.map(({ id }) => id))},
          ${placeholder('integer[]', (states) => states.map(({ version }) => version))},
          ${placeholder('text[]', (states) => states.map(({ state }) => state))}
        ) as given (type, id, version, state)
        join ${placeholder.rows('records')} as records on records.id = given.id and records.type = given.type
      ), first as (
        -- The first version of a record is found by its position.
        update ${table('versions')} as versions set state = prior.state, resource = null
        from prior
        where prior.version = 1 and versions.tenant = prior.tenant and versions.position = prior.record
      )
      update ${table('versions')} as versions set state = prior.state, resource = null
      from prior
      where prior.version > 1 and versions.version > 1
        and versions.tenant = prior.tenant and versions.record = prior.record and versions.version = prior.version`,
  );
  const deleteUnusedTerms = createStatement<null>(
    builder,
    'erase',
    ({ tenant, rows }) => sql`
      delete from ${table('terms')} as terms
      where terms.tenant = ${tenant()}
        and not exists (select from ${rows('entries')} as entries where entries.term = terms.term)
        and not exists (select from ${rows('dates')} as dates where dates.term = terms.term)`,
  );
  const raiseFence = createRaiseFence(builder);

  return {
    /** Replaces the states of earlier versions. */
    eraseVersions: (versions: readonly NumberedVersion[]): PostgresQuery =>
      eraseVersions.bind(versions.flatMap(priorStatesOf)),
    /**
     * Deletes the terms that no record has any more, and shows other stores that terms are gone. The transaction has locked
     * the end of the feed.
     */
    eraseTerms: (): readonly PostgresQuery[] => [deleteUnusedTerms.bind(null), raiseFence.bind(null)],
  };
};
