import type { Term } from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { IndexToWrite } from './version-to-write.ts';

/** The most terms that are remembered. Beyond that, all are forgotten, and written again if they are missing. */
const maxKnownTerms = 100_000;

/** Writes the terms that the database may not have. */
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

  return {
    /** The query that writes all terms of some versions that are not known to be committed; null if there are none. */
    queryFor: (versions: readonly Pick<IndexToWrite, 'contents'>[]): PostgresQuery | null => {
      const added = new Map<string, NewTerm>();
      for (const { contents } of versions) {
        for (const [term, content] of contents) if (!known.has(term)) added.set(term, { term, ...content });
      }
      return added.size === 0 ? null : statement.bind([...added.values()]);
    },
    /** Must be called if the database may be an older copy of itself, without them. */
    forget: (): void => known.clear(),
    /** Must be called once the versions are committed. */
    remember: (versions: readonly Pick<IndexToWrite, 'contents'>[]): void => {
      if (known.size > maxKnownTerms) known.clear();
      for (const { contents } of versions) for (const term of contents.keys()) known.add(term);
    },
  };
};
