import Database from 'better-sqlite3';
import { openClinic } from './clinic-file.ts';

/**
 * The issues that SQLite finds, and then those of `records.verify`, as in `--verify` of the example server; empty if
 * there are none.
 */
export const findIssues = async (filename: string, head?: string): Promise<readonly string[]> => {
  let database: Database.Database | undefined;
  try {
    database = new Database(filename);
    const damages = database.prepare<[], string>('PRAGMA integrity_check').pluck().all();
    const dangling = database.prepare('PRAGMA foreign_key_check').all();
    const { records } = openClinic({ database });
    const found = await records.verify({ head });
    return [
      ...damages.filter((text) => text !== 'ok').map(() => 'integrity_check'),
      ...dangling.map(() => 'foreign_key_check'),
      ...(found.isHeadMissing ? ['head'] : []),
      ...found.discrepancies.map(({ what }) => what),
      ...found.miscounted.map((type) => `total of ${type}`),
    ];
  } catch (cause) {
    return [`cannot be read: ${(cause as Error).message}`];
  } finally {
    database?.close();
  }
};
