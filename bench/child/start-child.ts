import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A process of its own that answers one question at a time. */
export type Child<Question, Answer> = {
  readonly ask: (question: Question) => Promise<Answer>;
  readonly stop: () => Promise<void>;
};

/** The flags of the example server: see bench/figures.md#method. */
const flagsOfV8 = ['--max-semi-space-size=8', '--no-allocation-site-pretenuring'];

const nextReply = async (child: ChildProcess): Promise<unknown> => {
  const settled = new AbortController();
  const { signal } = settled;
  try {
    const [message] = await Promise.race([
      once(child, 'message', { signal }),
      once(child, 'exit', { signal }).then(([code]) => {
        throw new Error(`${child.spawnargs.at(-1)} ended with ${code} before it answered`);
      }),
    ]);
    return message;
  } finally {
    settled.abort();
  }
};

/** Starts a module that calls `answerParent`, and waits until it is ready. */
export const startChild = async <Question, Answer>(
  module: string,
  ...parameters: readonly string[]
): Promise<Child<Question, Answer>> => {
  const child = fork(new URL(`../${module}`, import.meta.url), parameters, { execArgv: flagsOfV8 });
  await nextReply(child);
  return {
    ask: async (question) => {
      child.send(question as object);
      return (await nextReply(child)) as Answer;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
};
