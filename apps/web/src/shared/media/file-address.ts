import type { Midia } from '@balcao/contract/entities/mensagem'

/**
 * Addresses of chat files carry an end and a signature: `/api/midias/name?e=seconds&a=signature`. Each read of a
 * message gives another one.
 */

const pathOf = (url: string): string => url.split('?')[0] ?? url

export function isSameFile(a: string | undefined, b: string | undefined): boolean {
  return a !== undefined && b !== undefined && pathOf(a) === pathOf(b)
}

function hasEnded(url: string): boolean {
  const end = /[?&]e=(\d+)/.exec(url)?.[1]
  return end !== undefined && Number(end) * 1000 <= Date.now()
}

/** Keeps the known address of the same file while it works: a new one would make the browser load the file again. */
export function keepAddress<M extends { readonly midia?: Midia | undefined }>(known: M | undefined, fresh: M): M {
  const url = known?.midia?.url
  if (fresh.midia === undefined || url === undefined || !isSameFile(url, fresh.midia.url) || hasEnded(url)) return fresh
  return { ...fresh, midia: { ...fresh.midia, url } }
}
