import { describeClinicalStore } from '@clinical-records/store-contract';
import { openSqliteStore } from '../src/index.ts';
import { newFile } from './files.ts';

describeClinicalStore({
  name: 'SQLite, a file of its own',
  open: () => openSqliteStore({ filename: newFile() }),
});
