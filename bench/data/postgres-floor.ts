import { Client } from 'pg';
import { openFloor } from './floor-database.ts';

const rowsInStatement = 1000;

export const readRow = {
  name: 'read',
  text: 'select resource from resources where type = $1 and id = $2',
};

/** Reads the rows with any of some ids. */
export const readRows = {
  name: 'read rows',
  text: 'select type, id, resource from resources where id = any($1)',
};

export const searchRows = {
  name: 'search',
  text: 'select resource from resources where patient = $1 and type = $2 order by position limit $3',
};

export const insertRow = {
  name: 'insert one',
  text: 'insert into resources (type, id, patient, resource) values ($1, $2, $3, $4)',
};

/** Inserts rows from an array of each column. They are durable when the statement is done. */
export const insertRows = {
  name: 'insert',
  text: `insert into resources (type, id, patient, resource)
    select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])`,
};

type Row = readonly [type: string, id: string, patient: string | null, resource: string];

/**
 * Creates the table of the floor of SQLite in an empty database, with the same rows from its file. The index of names
 * begins with the id, so that a list of ids of any types can be read.
 */
export const fillPostgresFloor = async (url: string, sqliteFloor: string): Promise<void> => {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(`
    create table resources (
      position bigint generated always as identity primary key,
      type text not null, id text not null, patient text, resource text not null
    )`);
  const database = openFloor(sqliteFloor);
  const rows = database
    .prepare<[], Row>('select type, id, patient, resource from resources order by position')
    .raw();
  let waiting: Row[] = [];
  const insert = async (): Promise<void> => {
    const values = ([0, 1, 2, 3] as const).map((column) => waiting.map((row) => row[column]));
    waiting = [];
    await client.query({ ...insertRows, values });
  };
  for (const row of rows.iterate()) {
    if (waiting.push(row) === rowsInStatement) await insert();
  }
  await insert();
  database.close();
  await client.query('create unique index resources_by_name on resources (id, type)');
  await client.query('create index resources_by_patient on resources (patient, type, position)');
  await client.query('vacuum analyze resources');
  await client.query('checkpoint');
  await client.end();
};
