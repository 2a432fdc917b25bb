import type { AccessEvent } from '../access/access-event.ts';

/** How many milliseconds the refused requests of an unknown sender share one entry. */
const period = 60_000;

/** The most addresses that have an entry of their own in a minute. The others share one. */
const maxAddresses = 100;

/** A refused access of an unknown sender, with the number of its requests. */
export type RefusedAccess = AccessEvent & { readonly requests: number };

/** The requests of an address since its last entry. */
type Sender = { readonly refused: RefusedAccess; readonly until: number; requests: number };

/** Whether nobody is known to have sent a request over HTTP, and it was in vain. */
export const isOfUnknownSender = ({ by, client, status, outcome }: AccessEvent): boolean =>
  by === null && client === null && status !== null && outcome !== 'success';

/**
 * Counts refused accesses of unknown senders, who could fill a disk by them. Returns what is to be recorded now: the first
 * request of an address, without what the sender wrote, and the number of the others once the minute is over.
 */
export const createUnknownSenders = (): ((event: AccessEvent) => readonly RefusedAccess[]) => {
  const senders = new Map<string | null, Sender>();

  /** The requests that were counted in the minutes that are over. A clock that was set back ends a minute, too. */
  const takeCounted = (at: number): readonly RefusedAccess[] => {
    const counted: RefusedAccess[] = [];
    for (const [address, { refused, until, requests }] of senders) {
      if (at < until && at >= until - period) continue;
      senders.delete(address);
      if (requests > 0) counted.push({ ...refused, at, requests });
    }
    return counted;
  };

  return (event) => {
    const counted = takeCounted(event.at);
    const isKnown = senders.has(event.address);
    const address = isKnown || senders.size < maxAddresses ? event.address : null;
    const sender = senders.get(address);
    if (sender !== undefined) {
      sender.requests += 1;
      return counted;
    }
    const refused: RefusedAccess = {
      ...event,
      ...{
        address,
        interaction: null,
        resourceType: null,
        id: null,
        query: '',
        requestId: null,
        requests: 1,
      },
    };
    senders.set(address, { refused, until: event.at + period, requests: 0 });
    return [...counted, refused];
  };
};
