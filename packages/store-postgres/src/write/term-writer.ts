import type { Term } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { IndexToWrite } from './version-to-write.ts';

/** The most terms that are remembered. Beyond that, all are forgotten, and written again if they are missing. */
const maxKnownTerms = 100_000;

/**
 * Writes the terms that the database may not have. An erasure raises the fence of the end of the feed, and may delete terms.
 * So terms are known only for the fence at which they were written.
 */
export const createTermWriter = (builder: QueryBuilder) => {
  const { table } = builder;
  type NewTerm = Term & { readonly term: string };
  const statement = createStatement<readonly NewTerm[]>(builder, (placeholder) => {
    const column = (name: keyof Term) =>
      placeholder('text[]', (terms) => terms.map((term) => encodeText(term[name])));
    return sql`
      insert into ${table('terms')} (term, type, kind, parameter, system, code)
      select * from unnest(
        ${placeholder('uuid[]', (terms) => terms.map(({ term }) => term))},
        ${column('type')}, ${column('kind')}, ${column('parameter')}, ${column('system')}, ${column('code')}
      ) as added (term, type, kind, parameter, system, code)
      where not exists (select from ${table('terms')} as terms where terms.term = added.term)`;
  });
  const known = new Set<string>();
  let knownFence = -1;

  return {
    /**
     * The query that writes all terms of some versions that are not known to be committed; null if there are none. Without
     * a fence, no term is known.
     */
    queryFor: (
      versions: readonly Pick<IndexToWrite, 'contents'>[],
      fence: number | null,
    ): PostgresQuery | null => {
      const isKnown = (term: string) => fence === knownFence && known.has(term);
      const added = new Map<string, NewTerm>();
      for (const { contents } of versions) {
        for (const [term, content] of contents) if (!isKnown(term)) added.set(term, { term, ...content });
      }
      return added.size === 0 ? null : statement.bind([...added.values()]);
    },
    /** Must be called if the database may be an older copy of itself, without them. */
    forget: (): void => {
      known.clear();
      knownFence = -1;
    },
    /** Must be called once the versions are committed. It may come late, after versions that were committed later. */
    remember: (versions: readonly Pick<IndexToWrite, 'contents'>[], fence: number): void => {
      if (fence < knownFence) return;
      if (fence > knownFence || known.size > maxKnownTerms) known.clear();
      knownFence = fence;
      for (const { contents } of versions) for (const term of contents.keys()) known.add(term);
    },
  };
};
