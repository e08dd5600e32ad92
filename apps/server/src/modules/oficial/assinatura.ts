import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Checks Meta's signature of the raw body. Returns false without a configured secret. */
export function assinaturaConfere(corpo: Buffer, cabecalho: string | undefined, segredo: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(cabecalho ?? '') ?? []
  if (segredo === '' || hex === undefined) return false
  return timingSafeEqual(createHmac('sha256', segredo).update(corpo).digest(), Buffer.from(hex, 'hex'))
}

/** Compares hashes, so the time does not depend on the content or the length. */
export function palavraConfere(dita: string, certa: string): boolean {
  const resumo = (texto: string): Buffer => createHash('sha256').update(texto).digest()
  return timingSafeEqual(resumo(dita), resumo(certa))
}
