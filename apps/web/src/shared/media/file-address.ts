import type { Midia } from '@balcao/contract/entities/mensagem'

/**
 * Addresses of chat files are signed and expire: `/api/midias/name?e=seconds&a=signature`. The server signs a new
 * address every five minutes.
 */

const pathOf = (url: string): string => url.split('?')[0] ?? url

export function isSameFile(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && pathOf(a) === pathOf(b)
}

export function hasExpired(url: string): boolean {
  const expiry = /[?&]e=(\d+)/.exec(url)?.[1]
  return expiry !== undefined && Number(expiry) * 1000 <= Date.now()
}

/** Keeps the known address of the same file until it expires: a new one would make the browser load the file again. */
export function keepAddress<M extends { readonly midia?: Midia | undefined }>(known: M | undefined, fresh: M): M {
  const url = known?.midia?.url
  if (fresh.midia === undefined || url === undefined || !isSameFile(url, fresh.midia.url) || hasExpired(url))
    return fresh
  return { ...fresh, midia: { ...fresh.midia, url } }
}
