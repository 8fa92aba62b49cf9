import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import ipaddr from "ipaddr.js";
import { Agent, DecoratorHandler, type Dispatcher, errors, Pool, ProxyAgent } from "undici";
import { DossierError } from "../errors.ts";
import { hostAndPort } from "./check-link.ts";
import { explainFailure } from "./read-response.ts";

/** The proxies through which everything leaves, as curl names them. Their addresses may have a name and a password. */
export interface Proxies {
  /** For `http:` addresses, and for `https:` ones if there is no other. */
  readonly http: string | undefined;
  readonly https: string | undefined;
  /** Names, addresses and ranges of addresses that are reached without a proxy, between commas; `*` for all. */
  readonly none: string;
  /** Whether only the proxy can resolve names. A name that leads into a private network is then refused by the proxy, or by nobody. */
  readonly resolves: boolean;
}

/** Returns the address that the proxy gets in place of a host's name, or null if it gets the name. */
export type Locate = (url: URL) => Promise<string | null>;
type Options = Agent.Options & { readonly connectTimeout: number };

/** Servers on this machine are never asked through a proxy. */
const OWN_MACHINE = "localhost,127.0.0.1,::1";

/** Opens connections by `options`, or through the proxies. What a proxy is asked for is not checked by `options.connect`. */
export function openAgent(options: Options, proxies: Proxies | null | undefined, locate: Locate = async () => null) {
  const direct = new Agent(options);
  if (proxies == null) return { dispatcher: direct, close: () => direct.destroy() };
  const { http, https = http, none, resolves } = proxies;
  const isException = readExceptions(none);
  const open = (proxy = "") => (proxy === "" ? null : openProxy(new URL(proxy), options, resolves ? async () => null : locate));
  const [forHttp, forHttps] = [open(http), open(https)];
  const dispatcher = direct.compose((dispatch) => (request, handler) => {
    const url = new URL(request.origin ?? "");
    const send = url.protocol === "https:" ? forHttps?.send : forHttp?.send;
    return send === undefined || isException(url) ? dispatch(request, handler) : send(url, request, handler);
  });
  return { dispatcher, close: async () => void (await Promise.all([direct, forHttp, forHttps].map((one) => one?.destroy()))) };
}

function openProxy(proxy: URL, { connect: _, ...options }: Options, locate: Locate) {
  const { origin, host, hostname, protocol, username, password } = proxy;
  const { connectTimeout: timeout } = options;
  const pair = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString("base64");
  const own = username + password === "" ? {} : { "proxy-authorization": `Basic ${pair}` };
  // undici's ProxyAgent would open a pool for each host with http, without their limits and without an end.
  const forward = new Pool(origin, { ...options, allowH2: false, connect: { timeout } });
  const clientFactory = (to: URL, more: object) => new Pool(to, { ...more, headersTimeout: timeout });
  const tunnel = new ProxyAgent({ ...options, uri: proxy.href, proxyTunnel: true, allowH2: false, clientFactory });
  return {
    send(url: URL, request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): true {
      const toldOfProxy = explained(handler, url.host, host);
      // For https, this is also the name that the certificate must have.
      const headers = { ...request.headers, host: url.host };
      const send = (address: string | null): boolean => {
        const at = new URL(url);
        if (address !== null) at.hostname = isIP(address) === 6 ? `[${address}]` : address;
        if (address !== null || url.protocol === "https:") return tunnel.dispatch({ ...request, origin: at.origin, headers }, toldOfProxy);
        const servername = protocol === "https:" ? hostname : null;
        const path = `${url.origin}${request.path}`;
        return forward.dispatch({ ...request, ...(servername && { servername }), path, headers: { ...headers, ...own } }, toldOfProxy);
      };
      void locate(url)
        .then(send)
        .catch((error: Error) => handler.onResponseError?.(null as never, error));
      return true;
    },
    destroy: () => Promise.all([forward.destroy(), tunnel.destroy()]),
  };
}

/** Names the proxy in failures. */
function explained(handler: Dispatcher.DispatchHandler, host: string, proxy: string): Dispatcher.DispatchHandler {
  const fail = (error: Error): Error => {
    const { code, message, cause } = explainFailure(error, host);
    const said = error instanceof errors.RequestAbortedError ? `${host} could not be reached: ${error.message}.` : message;
    const advice = `It was asked through the proxy ${proxy}. If that only takes names, set PROXY_RESOLVES=1.`;
    return code === "unreachable" ? new DossierError(code, `${said} ${advice}`, { cause }) : error;
  };
  return Object.assign(new DecoratorHandler(handler), {
    onResponseError: (controller: Dispatcher.DispatchController, error: Error) =>
      handler.onResponseError?.(controller, controller?.aborted ? error : fail(error)),
  });
}

/** By curl's rules: a name stands for those below it too, and `10.0.0.0/8` for a range. A port may follow. */
function readExceptions(list: string): (url: URL) => boolean {
  if (list.trim() === "*") return () => true;
  const entries = `${OWN_MACHINE},${list}`.split(/[\s,]+/).filter((entry) => entry !== "");
  const ranges = entries.filter((entry) => ipaddr.isValidCIDR(entry)).map((entry) => ipaddr.parseCIDR(entry));
  const hosts = entries
    .map((entry) => /^(\[.*\]|[^:]*):(\d+)$/.exec(entry) ?? [entry, entry])
    .map(([, host = "", port]) => [plainHost(host), port]);
  return (url) => {
    const host = plainHost(url.hostname);
    const address = isIP(host) === 0 ? null : ipaddr.parse(host);
    const isNamed = hosts.some(
      ([name, port]) => (host === name || host.endsWith(`.${name}`)) && (port === undefined || hostAndPort(url).endsWith(`:${port}`)),
    );
    return isNamed || ranges.some(([range, bits]) => range.kind() === address?.kind() && address.match(range, bits));
  };
}

/** Without brackets and the dots at its ends, in the form in which URLs have it. */
function plainHost(text: string): string {
  const host = text.replace(/^\[(.*)\]$/, "$1");
  return isIP(host) === 0 ? domainToASCII(host.replace(/^\*?\./, "").replace(/\.$/, "")) : ipaddr.parse(host).toString();
}
