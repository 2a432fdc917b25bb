import { useMemo } from 'preact/hooks';

/**
 * An `Idempotency-Key` for a form, so that sending it again after a lost response records it once. What is changed before is
 * refused then. A draft has no effect, so its form passes what it contains, and stages again what is changed.
 */
export const useRetryKey = (content?: unknown): string =>
  // `crypto.randomUUID` exists only over https and on the same machine.
  useMemo(() => crypto.getRandomValues(new Uint32Array(4)).join('-'), [content]);
