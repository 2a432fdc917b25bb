import type { RecordRef } from './port.ts';

/** Names a record among all others, as a text that no other record has. */
export const recordKey = ({ type, id }: RecordRef): string => JSON.stringify([type, id]);
