import type { IncomingMessage } from 'node:http';

export const readBody = (message: IncomingMessage, done: (body: string) => void): void => {
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => done(Buffer.concat(chunks).toString()));
};
