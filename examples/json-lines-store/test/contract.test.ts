import { describeClinicalStore } from '@clinical-records/store-contract';
import { openJsonLinesStore } from '../src/json-lines-store.ts';
import { newFile, removeFolders } from './files.ts';

describeClinicalStore({
  name: 'JSON lines',
  open: () => openJsonLinesStore({ filename: newFile() }),
  remove: removeFolders,
});
