import type { Estado } from './anfitriao.ts'

export interface CodigosNaTela {
  readonly recomecar: () => void
  readonly houve: () => boolean
  /** True if the last code is on screen. */
  readonly acabaram: () => boolean
  /** Shows the next code. `restam` is the number of codes after it. */
  readonly mostrar: (qrCode: string, restam: number) => void
  /** Replaces the QR code on screen without extending its expiry. */
  readonly renovar: (qrCode: string) => void
  readonly ultimoExpira: () => Date
}

const PRIMEIRO_MS = 60_000
const OUTRO_MS = 20_000

export function createCodigosNaTela(contar: (estado: Estado) => void, duraMs?: number): CodigosNaTela {
  let quantos = 0
  let faltam = 0
  let expiraEm = new Date(0)
  let ultimo = new Date(0)
  return {
    recomecar: () => {
      quantos = 0
    },
    houve: () => quantos > 0,
    acabaram: () => quantos > 0 && faltam <= 0,
    mostrar: (qrCode, restam) => {
      expiraEm = new Date(Date.now() + (duraMs ?? (quantos === 0 ? PRIMEIRO_MS : OUTRO_MS)))
      ultimo = new Date(expiraEm.getTime() + Math.max(0, restam) * (duraMs ?? OUTRO_MS))
      quantos += 1
      faltam = restam
      contar({ tipo: 'pareando', qrCode, expiraEm })
    },
    renovar: (qrCode) => contar({ tipo: 'pareando', qrCode, expiraEm }),
    ultimoExpira: () => ultimo,
  }
}
