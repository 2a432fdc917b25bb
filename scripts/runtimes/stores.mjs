import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const newFile = () => join(mkdtempSync(join(tmpdir(), 'clinical-records-runtimes-')), 'clinic.db');

const openOnHandle = async (database) => {
  const { openSqliteStore } = await import('@clinical-records/store-sqlite');
  return openSqliteStore({ database });
};

/** Opens a store by the name of what keeps its records. */
export const stores = {
  memory: async () => (await import('@clinical-records/store-memory')).createMemoryStore(),
  'better-sqlite3': async () => {
    const { openSqliteStore } = await import('@clinical-records/store-sqlite');
    return openSqliteStore({ filename: newFile(), driver: 'better-sqlite3' });
  },
  'node:sqlite': async () => {
    const { openSqliteStore } = await import('@clinical-records/store-sqlite');
    return openSqliteStore({ filename: newFile(), driver: 'node:sqlite' });
  },
  'bun:sqlite': async () => openOnHandle(new (await import('bun:sqlite')).Database(newFile())),
  libsql: async () => openOnHandle(new (await import('libsql')).default(newFile())),
  PGlite: async () => {
    const { PGlite } = await import('@electric-sql/pglite');
    const { PGLiteSocketServer } = await import('@electric-sql/pglite-socket');
    const { default: pg } = await import('pg');
    const { openPostgresStore } = await import('@clinical-records/store-postgres');
    const server = new PGLiteSocketServer({ db: await PGlite.create(), host: '127.0.0.1', port: 0 });
    await server.start();
    const [host, port] = server.getServerConn().split(':');
    // It has one connection.
    const pool = new pg.Pool({ host, port: Number(port), user: 'postgres', database: 'postgres', max: 1 });
    return openPostgresStore({ pool });
  },
};
