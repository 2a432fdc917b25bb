/** A browser: follows redirects, and keeps the cookies of each server, until it comes to a URL that begins with `end`. */
export const createBrowser = () => {
  const cookies = new Map<string, Map<string, string>>();
  const open = async (url: string, end: string): Promise<URL> => {
    const { host } = new URL(url);
    const jar = cookies.get(host) ?? new Map<string, string>();
    cookies.set(host, jar);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
      jar.set(name, value);
    }
    const location = response.headers.get('location');
    if (location === null)
      throw new Error(`${url} did not redirect: ${response.status} ${await response.text()}`);
    const next = new URL(location, url);
    return next.href.startsWith(end) ? next : open(next.href, end);
  };
  return { open };
};
