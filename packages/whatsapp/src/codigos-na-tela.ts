import type { Estado } from './anfitriao.ts'

/** The codes to scan that a line shows, one after the other. */
export interface CodigosNaTela {
  /** A line begins. */
  readonly recomecar: () => void
  /** Whether this line has shown any. */
  readonly houve: () => boolean
  /** Whether none follows the one that it shows. */
  readonly acabaram: () => boolean
  /** The next one, and how many more will follow it. */
  readonly mostrar: (qrCode: string, restam: number) => void
  /** The one on show, drawn anew; it lasts no longer for that. */
  readonly renovar: (qrCode: string) => void
  /** When the last of them will have gone. */
  readonly ultimoExpira: () => Date
}

const PRIMEIRO_MS = 60_000
const OUTRO_MS = 20_000

/** `duraMs`: how long each is shown, instead of what WhatsApp does. */
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
