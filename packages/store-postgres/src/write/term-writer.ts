import type { Term } from '@clinical-records/core/store';
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import { createStatement, type Placeholder, type QueryBuilder, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { IndexToWrite } from './prepared-commit.ts';
import type { ListColumn } from './write-statement.ts';

/** The most terms that are remembered. Beyond that, all are forgotten, and written again if they are missing. */
const maxKnownTerms = 100_000;

export type NewTerm = Term & { readonly term: string };

type Terms = readonly Pick<IndexToWrite, 'contents'>[];

/** The terms of some versions, each once, without those that are known. */
export const termsOf = (
  versions: Terms,
  isKnown: (term: string) => boolean = () => false,
): readonly NewTerm[] => {
  const terms = new Map<string, NewTerm>();
  for (const { contents } of versions) {
    for (const [term, content] of contents) if (!isKnown(term)) terms.set(term, { term, ...content });
  }
  return [...terms.values()];
};

const textColumn = (name: keyof Term): ListColumn<NewTerm> => [
  name,
  'text[]',
  (term) => encodeText(term[name]),
];

/** The lists in which terms are written. */
export const termLists: readonly ListColumn<NewTerm>[] = [
  ['term', 'uuid[]', ({ term }) => term],
  ...(['type', 'kind', 'parameter', 'system', 'code'] as const).map(textColumn),
];

/** Inserts the terms of some lists that are missing in `existing`, and for which a condition holds. */
export const insertTerms = (
  { table }: Pick<QueryBuilder, 'table'>,
  tenant: RawBuilder<number>,
  lists: readonly RawBuilder<unknown>[],
  existing: RawBuilder<unknown>,
  condition: RawBuilder<SqlBool> = sql`true`,
): RawBuilder<object> => sql`
  insert into ${table('terms')} (tenant, term, type, kind, parameter, system, code)
  select ${tenant}, added.* from unnest(${sql.join(lists)}) as added (term, type, kind, parameter, system, code)
  where not exists (select from ${existing} as terms where terms.term = added.term) and ${condition}`;

/** Creates the statement that writes the terms that are missing and for which a condition holds. */
const createTermStatement = (
  builder: QueryBuilder,
  condition?: (placeholder: Placeholder<readonly NewTerm[]>) => RawBuilder<SqlBool>,
): Statement<readonly NewTerm[]> =>
  createStatement<readonly NewTerm[]>(builder, 'commit', (placeholder) =>
    insertTerms(
      builder,
      placeholder.tenant(),
      termLists.map(([, type, read]) => placeholder(type, (terms) => terms.map(read))),
      placeholder.rows('terms'),
      condition?.(placeholder),
    ),
  );

/** Creates the function that returns the query for the end of a transaction: it writes terms again that were deleted since. */
export const createRestoreTerms = (builder: QueryBuilder): ((versions: Terms) => PostgresQuery) => {
  const statement = createTermStatement(
    builder,
    ({ rows }) => sql`(exists (select from ${rows('entries')} as entries where entries.term = added.term)
      or exists (select from ${rows('dates')} as dates where dates.term = added.term))`,
  );
  return (versions) => statement.bind(termsOf(versions));
};

/**
 * Writes the terms that the database may not have. An erasure raises the fence of the end of the feed, and may delete terms.
 * So terms are known only for the fence at which they were written.
 */
export const createTermWriter = (builder: QueryBuilder) => {
  const statement = createTermStatement(builder);
  const knownTerms = new Set<string>();
  let knownFence = -1;

  return {
    /**
     * The query that writes all terms of some versions that are not known to be committed; null if there are none. Without
     * a fence, no term is known.
     */
    queryFor: (versions: Terms, fence: number | null): PostgresQuery | null => {
      const added = termsOf(versions, (term) => fence === knownFence && knownTerms.has(term));
      return added.length === 0 ? null : statement.bind(added);
    },
    /** Must be called if the database may be an older copy of itself, without them. */
    forget: (): void => {
      knownTerms.clear();
      knownFence = -1;
    },
    /** Must be called once the versions are committed. It may come late, after versions that were committed later. */
    remember: (versions: Terms, fence: number): void => {
      if (fence < knownFence) return;
      if (fence > knownFence || knownTerms.size > maxKnownTerms) knownTerms.clear();
      knownFence = fence;
      for (const { contents } of versions) for (const term of contents.keys()) knownTerms.add(term);
    },
  };
};
