import { migrationSql } from '@clinical-records/store-postgres';

process.stdout.write(migrationSql({ schema: 'north_clinic', user: 'clinic' }));
