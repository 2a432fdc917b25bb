import { toFetch } from '@clinical-records/http-adapter';
import { handler } from '../../../records.mjs';

const respond = toFetch(handler);
export { respond as GET, respond as POST, respond as PUT };
