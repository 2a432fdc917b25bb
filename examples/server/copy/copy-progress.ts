/** Shows how many versions are copied: a line for each tenth. */
export const createCopyProgress = (
  all: number,
  write: (text: string) => unknown,
): ((copied: number) => void) => {
  let tenths = 0;
  return (copied) => {
    const reached = Math.min(10, Math.floor((10 * copied) / all));
    if (reached <= tenths) return;
    tenths = reached;
    write(`Copying: ${10 * reached} %, ${copied} versions\n`);
  };
};
