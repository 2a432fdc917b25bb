import type { SqliteDatabase } from './database.ts';
import { prepareStatement } from './prepare-statement.ts';
import type { QueryBuilder } from './schema.ts';

/** The index version of the store. */
export type IndexVersion = {
  readonly isAtLeast: (version: number) => boolean;
  readonly set: (version: number) => void;
};

export const createIndexVersion = (database: SqliteDatabase, db: QueryBuilder): IndexVersion => {
  const read = prepareStatement<null, { readonly version: number }>(database, () =>
    db.selectFrom('index_version').select('version'),
  );
  const clear = prepareStatement<null>(database, () => db.deleteFrom('index_version'));
  const insert = prepareStatement<{ readonly version: number }>(database, (placeholder) =>
    db.insertInto('index_version').values({ version: placeholder.of('version') }),
  );
  return {
    isAtLeast: (version) => version <= (read.first(null)?.version ?? 1),
    set: (version) => {
      clear.run(null);
      insert.run({ version });
    },
  };
};
