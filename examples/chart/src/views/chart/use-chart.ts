import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { type Chart, loadChart } from '../../api/chart.ts';
import { errorWords } from '../../model/error-words.ts';
import { useClient } from '../contexts.ts';

/** The chart of a patient as it is now, once it is there, and what failed. */
export type ChartState = {
  readonly chart: Chart | null;
  readonly error: string;
  /** Reads the chart again. The chart that is shown stays until then. */
  readonly reload: () => Promise<void>;
};

/** How long the first read waits for the stream, after which nothing is missed, in milliseconds. */
const longestWaitForStream = 500;

export const useChart = (patientId: string): ChartState => {
  const client = useClient();
  const [chart, setChart] = useState<Chart | null>(null);
  const [error, setError] = useState('');
  const newest = useRef(0);
  const reload = useCallback(async () => {
    newest.current += 1;
    const turn = newest.current;
    try {
      const loaded = await loadChart(client, patientId);
      // A slower answer to an earlier question would bring the past back.
      if (turn !== newest.current) return;
      setChart(loaded);
      setError('');
    } catch (cause) {
      if (turn === newest.current) setError(errorWords(cause));
    }
  }, [client, patientId]);
  useEffect(() => {
    let end = new AbortController();
    // A browser has only six connections to a server, and a stream takes one. Tabs that nobody sees would use them up.
    const follow = () => {
      end.abort();
      if (document.hidden) return;
      end = new AbortController();
      let isRead = false;
      const read = () => {
        isRead = true;
        reload();
      };
      client.watch(patientId, read, { signal: end.signal }).catch(read);
      // Without a stream, what is read may be old soon. But it is shown.
      setTimeout(() => isRead || end.signal.aborted || read(), longestWaitForStream);
    };
    follow();
    document.addEventListener('visibilitychange', follow);
    return () => {
      document.removeEventListener('visibilitychange', follow);
      end.abort();
    };
  }, [client, patientId, reload]);
  return { chart, error, reload };
};
