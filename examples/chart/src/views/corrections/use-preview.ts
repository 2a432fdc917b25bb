import { useCallback, useEffect, useState } from 'preact/hooks';
import { errorWords } from '../../model/error-words.ts';

/** Reads a preview once something is chosen, and again after a change by somebody else. */
export const usePreview = <Preview>(read: (() => Promise<Preview>) | null, chosen: string | undefined) => {
  const [preview, setPreview] = useState<Preview | null>(null);
  const [error, setError] = useState('');
  const readAgain = useCallback(async () => {
    setPreview(null);
    setError('');
    if (read === null) return;
    await read().then(setPreview, (cause) => setError(errorWords(cause)));
  }, [chosen]);
  useEffect(() => {
    readAgain();
  }, [readAgain]);
  return { preview, error, readAgain };
};
