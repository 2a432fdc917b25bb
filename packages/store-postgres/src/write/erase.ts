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

/**
 * Creates the queries of a transaction that erases versions, after it has written the versions that say so. They replace the states of
 * earlier versions, delete the terms that no record has any more, and show other stores that terms are gone. The transaction has
 * locked the end of the feed.
 */
export const createErase = (
  builder: QueryBuilder,
): ((versions: readonly NumberedVersion[]) => readonly PostgresQuery[]) => {
  const erase = createStatement<readonly PriorState[]>(
    builder,
    'erase',
    (placeholder) => sql`
      select ${sql.id(builder.schema, 'erase')}(
        ${placeholder.tenant()},
        ${placeholder('text[]', (states) => states.map(({ type }) => type))},
        ${placeholder('text[]', (states) => states.map(({ id }) => id))},
        ${placeholder('integer[]', (states) => states.map(({ version }) => version))},
        ${placeholder('text[]', (states) => states.map(({ state }) => state))}
      )`,
  );
  const raiseFence = createRaiseFence(builder);
  return (versions) => [erase.bind(versions.flatMap(priorStatesOf)), raiseFence.bind(null)];
};
