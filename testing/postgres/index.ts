export { createDatabase, type TestDatabase } from './create-database.ts';
export { type Postgres, type Settings, startPostgres } from './start-postgres.ts';
