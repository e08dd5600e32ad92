import { createHash, createHmac, timingSafeEqual } from 'node:crypto'

/** Whether these very bytes were signed with the app's secret. Without a secret nothing is. */
export function assinaturaConfere(corpo: Buffer, cabecalho: string | undefined, segredo: string): boolean {
  const [, hex] = /^sha256=([0-9a-f]{64})$/i.exec(cabecalho ?? '') ?? []
  if (segredo === '' || hex === undefined) return false
  return timingSafeEqual(createHmac('sha256', segredo).update(corpo).digest(), Buffer.from(hex, 'hex'))
}

/** Takes as long for a wrong word as for the right one, however long it is. */
export function palavraConfere(dita: string, certa: string): boolean {
  const resumo = (texto: string): Buffer => createHash('sha256').update(texto).digest()
  return timingSafeEqual(resumo(dita), resumo(certa))
}
