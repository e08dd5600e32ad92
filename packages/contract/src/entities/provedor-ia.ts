import * as z from 'zod/mini'

const HOSTS_MAX = 50
const HOST_MAX = 260

/** A name with letters in its last part, so that it is no address, and an optional port. */
const HOST = /^([a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?(?::\d{1,5})?$/

const PUBLISHED = 'Use só o nome, como ollama.interno ou ia.exemplo.com:8443, sem https:// e sem endereço IP'

const hostIaSchema = z.string().check(
  z.trim(),
  z.toLowerCase(),
  // Addresses never contain the usual port.
  z.overwrite((host) => host.replace(/:443$/, '')),
  z.maxLength(HOST_MAX),
  z.refine((host) => HOST.test(host) && Number(/:(\d+)$/.exec(host)?.[1] ?? 1) <= 65_535, PUBLISHED),
)

/** Hosts that accounts may choose as `compativel` provider. */
export const hostsIaSchema = z.object({ hosts: z.array(hostIaSchema).check(z.maxLength(HOSTS_MAX)) })
export type HostsIa = z.infer<typeof hostsIaSchema>

/** No user, query or fragment, and no character that two parsers of addresses read differently. */
const URL_BASE = /^(https?):\/\/([a-z0-9.-]+(?::\d{1,5})?)(?:\/[\w./~-]*)?$/i

/** The host of a `compativel` address with its port, as `hostsIaSchema` names it. Null: no usable https address. */
export function hostOfUrlBase(urlBase: string): string | null {
  const [, scheme, host = ''] = URL_BASE.exec(urlBase.toLowerCase()) ?? []
  return scheme === 'https' && HOST.test(host) ? host.replace(/:443$/, '') : null
}

/** True for an https address on one of the hosts. `loopback`, for tests, also allows http on this machine. */
export function isAllowedUrlBase(
  urlBase: string,
  hosts: readonly string[],
  { loopback = false }: { readonly loopback?: boolean } = {},
): boolean {
  const host = hostOfUrlBase(urlBase)
  if (host !== null) return hosts.includes(host)
  return loopback && URL_BASE.exec(urlBase)?.[2]?.startsWith('127.0.0.1:') === true
}
