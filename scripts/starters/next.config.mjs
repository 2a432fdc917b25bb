export default { serverExternalPackages: ['@clinical-records/store-sqlite', 'better-sqlite3'] };
