/** The child's side of `startChild`: reports that it is ready, answers questions, and ends with its parent. */
export const answerParent = <Question, Answer>(
  answering: (question: Question) => Promise<Answer> | Answer,
): void => {
  process.on('message', async (question: Question) => {
    process.send?.(await answering(question));
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
};
