import { Agent, request } from 'node:http';

export type TimedResponse = { readonly status: number; readonly took: number; readonly body: string };

/** The longest URL that is sent. A longer search is sent as a form. */
const maxUrlLength = 8000;

/** The most pages of a search that are read. */
const maxPages = 3;

export const createClient = (origin: string) => {
  const agent = new Agent({ keepAlive: true });
  const headers = { authorization: 'Bearer t', 'content-type': 'application/x-www-form-urlencoded' };

  const send = (method: string, path: string, form?: string): Promise<TimedResponse> =>
    new Promise((resolve, reject) => {
      const began = performance.now();
      const sent = request(`${origin}${path}`, { method, agent, headers }, (response) => {
        const pieces: Buffer[] = [];
        response.on('data', (piece: Buffer) => pieces.push(piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            took: performance.now() - began,
            body: Buffer.concat(pieces).toString(),
          }),
        );
      });
      sent.on('error', reject);
      sent.end(form);
    });

  /** Sends a search, and follows the links of its pages. */
  const search = async (
    parameters: readonly (readonly [string, string])[],
  ): Promise<readonly TimedResponse[]> => {
    const query = String(
      new URLSearchParams(parameters.map(([name, value]): [string, string] => [name, value])),
    );
    const answers = [
      query.length > maxUrlLength
        ? await send('POST', '/fhir/ServiceRequest/_search', query)
        : await send('GET', `/fhir/ServiceRequest?${query}`),
    ];
    for (let at = 0; at < maxPages; at++) {
      const next = /"relation":"next","url":"(?:\.\.\/)?([^"]+)"/.exec(answers.at(-1)?.body ?? '')?.[1];
      if (next === undefined || next.length > maxUrlLength) break;
      answers.push(await send('GET', `/fhir/${next}`));
    }
    return answers;
  };

  return { send, search, close: () => agent.destroy() };
};
