import { useMemo } from 'preact/hooks';

/** An `Idempotency-Key` for what a form contains, so that sending it again after a lost response records it once. */
export const useRetryKey = (content: unknown): string =>
  // `crypto.randomUUID` exists only over https and on the same machine.
  useMemo(() => crypto.getRandomValues(new Uint32Array(4)).join('-'), [content]);
