export const NIVEIS = ['tudo', 'aguardando', 'nada'] as const
export type Nivel = (typeof NIVEIS)[number]

export interface Preferencias {
  readonly nivel: Nivel
  readonly som: boolean
  /** From 0 to 1. */
  readonly volume: number
  readonly repetir: boolean
}

const CHAVE = 'notificacoes'
const PADRAO: Preferencias = { nivel: 'tudo', som: true, volume: 0.5, repetir: false }

export function lerPreferencias(): Preferencias {
  try {
    const lidas: unknown = JSON.parse(localStorage.getItem(CHAVE) ?? '{}')
    const campos = new Map(typeof lidas === 'object' && lidas !== null ? Object.entries(lidas) : [])
    const volume: unknown = campos.get('volume')
    return {
      nivel: NIVEIS.find((nivel) => nivel === campos.get('nivel')) ?? PADRAO.nivel,
      som: campos.get('som') !== false,
      volume: typeof volume === 'number' && volume >= 0 && volume <= 1 ? volume : PADRAO.volume,
      repetir: campos.get('repetir') === true,
    }
  } catch {
    return PADRAO
  }
}

export function guardarPreferencias(novas: Preferencias): void {
  localStorage.setItem(CHAVE, JSON.stringify(novas))
}
