import { describeClinicalStore } from '@clinical-records/store-contract';
import Database from 'better-sqlite3';
import { openSqliteStore } from '../../src/index.ts';
import { newFile } from '../files.ts';

const handles: Database.Database[] = [];

describeClinicalStore({
  name: "SQLite, a host's database with tables of its own",
  open: () => {
    const database = new Database(newFile());
    handles.push(database);
    database.exec('CREATE TABLE records (name TEXT); CREATE TABLE store_versions (schema_version TEXT)');
    return openSqliteStore({ database, prefix: 'chart_' });
  },
  remove: () => {
    for (const database of handles.splice(0)) database.close();
  },
});
