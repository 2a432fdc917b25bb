/** Shows how many versions are copied: a line for each tenth. */
export const createCopyProgress = (
  all: number,
  write: (text: string) => unknown,
): ((copied: number) => void) => {
  let next = 10;
  return (copied) => {
    const percent = Math.min(100, Math.floor((100 * copied) / all));
    if (percent < next) return;
    next = percent - (percent % 10) + 10;
    write(`Copying: ${percent} %, ${copied} versions\n`);
  };
};
