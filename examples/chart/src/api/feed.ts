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
 * Calls back when somebody changes the chart of a patient, until the signal comes. A stream that has ended is continued after its
 * last event. Where that is not possible, it calls back, too, because a change may have been missed. A server without the feed is
 * not asked again.
 */
export const followChart = async (
  client: Client,
  patientId: string,
  { signal, onChange }: { readonly signal: AbortSignal; readonly onChange: () => void },
): Promise<void> => {
  let isFirst = true;
  let lastEventId: string | undefined;
  while (!signal.aborted) {
    try {
      const after = lastEventId === undefined ? '' : `&lastEventId=${lastEventId}`;
      await readEvents(await client.stream(`events?patient=${patientId}${after}`, signal), ({ name, id }) => {
        lastEventId = id ?? lastEventId;
        if (name === 'version' || (name === 'open' && !isFirst)) onChange();
        isFirst = false;
      });
    } catch (cause) {
      if (cause instanceof RequestError && cause.status < 500 && cause.status !== 429) return;
    }
    isFirst = false;
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
};
