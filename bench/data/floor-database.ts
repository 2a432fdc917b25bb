import Database from 'better-sqlite3';

/** The simplest database that serves reads by id and searches by patient: one table, as durable as the library's. */
export const openFloor = (filename: string): Database.Database => {
  const database = new Database(filename);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
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
