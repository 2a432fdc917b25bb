import { parseEvents, type ServerEvent } from '../model/event-stream.ts';
import { type Client, RequestError } from './client.ts';

/** How long to wait before a stream that ended is opened again, in milliseconds. */
const pause = 2000;

const readEvents = async (response: Response, onEvent: (event: ServerEvent) => void): Promise<void> => {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { value, done } = (await reader?.read()) ?? { value: undefined, done: true };
    if (done || value === undefined) return;
    const { events, rest } = parseEvents(text + value);
    text = rest;
    for (const event of events) onEvent(event);
  }
};

/**
 * Calls back when somebody changes the chart of a patient, until the signal comes. If the first stream could not be opened or
 * has ended, it calls back with the next one, too, because a change may have been missed. A server without the feed is not
 * asked again.
 */
export const followChart = async (
  client: Client,
  patientId: string,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
): Promise<void> => {
  let isFirst = true;
  while (!signal.aborted) {
    try {
      await readEvents(await client.stream(`events?patient=${patientId}`, signal), ({ name }) => {
        if (name === 'version' || !isFirst) onChange();
        isFirst = false;
      });
    } catch (cause) {
      if (cause instanceof RequestError && cause.status < 500 && cause.status !== 429) return;
    }
    isFirst = false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};
