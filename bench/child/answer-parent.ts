/** The other end of `startChild`: says that it is ready, answers what it is asked, and ends with its parent. */
export const answerParent = <Question, Answer>(
  answering: (question: Question) => Promise<Answer> | Answer,
): void => {
  process.on('message', async (question: Question) => {
    process.send?.(await answering(question));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
};
