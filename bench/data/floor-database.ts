import Database from 'better-sqlite3';

/** Maps as much of the file as SQLite can, 2 GiB. */
const mappedBytes = 0x7fff_0000;

/** Opens a file with the fastest settings that were found: bench/figures.md#the-floors. */
export const openTuned = (filename: string): Database.Database => {
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('cache_size = -16384');
  database.pragma(`mmap_size = ${mappedBytes}`);
  database.pragma('wal_autocheckpoint = 8000');
  return database;
};

/** The simplest database that serves reads by id and searches by patient: one table, as durable as the library's. */
export const openFloor = (filename: string): Database.Database => {
  const database = openTuned(filename);
  database.exec(`
    create table if not exists resources (
      position integer primary key, type text not null, id text not null, patient text, resource text not null
    );
    create unique index if not exists resources_by_name on resources (type, id);
    create index if not exists resources_by_patient on resources (patient, type);
  `);
  return database;
};

export const prepareInsert = (database: Database.Database) =>
  database.prepare<[string, string, string | null, string]>(
    'insert into resources (type, id, patient, resource) values (?, ?, ?, ?)',
  );
