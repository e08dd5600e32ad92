import type { MotivoBot } from '@balcao/contract/entities/bot-status'

/** A browser that stays unusable until a person changes the server or the panel. */
export class FalhaDoNavegador extends Error {
  readonly motivo: MotivoBot

  constructor(motivo: MotivoBot, detalhe: string) {
    super(detalhe)
    this.name = 'FalhaDoNavegador'
    this.motivo = motivo
  }
}

export interface FalhaDeAbertura {
  /** True when a person has to act; false when a retry may help. */
  readonly definitiva: boolean
  readonly motivo: MotivoBot
}

/**
 * The order matters: a browser without its sandbox also reports a failed launch. The patterns are the libraries'
 * own texts.
 */
const SINAIS: readonly (readonly [RegExp, FalhaDeAbertura])[] = [
  [
    /was not found at the configured executablePath|Could not find Chrome|`executablePath` or `channel` must be/,
    { definitiva: true, motivo: 'navegadorNaoEncontrado' },
  ],
  [
    /no-sandbox is not supported|No usable sandbox|SUID sandbox|Failed to move to new namespace/,
    { definitiva: true, motivo: 'navegadorSemProtecao' },
  ],
  [/already running for/, { definitiva: false, motivo: 'navegadorCaiu' }],
  [/Failed to launch the browser process|EACCES|ENOEXEC/, { definitiva: true, motivo: 'navegadorInutilizavel' }],
  [/net::ERR_/, { definitiva: false, motivo: 'semRede' }],
  [
    /Target closed|Session closed|Connection closed|Protocol error|detached|disconnected/,
    { definitiva: false, motivo: 'navegadorCaiu' },
  ],
]

/** Classifies a rejection of `initialize` of whatsapp-web.js, which is an error or a bare string. */
export function falhaDeAbertura(error: unknown): FalhaDeAbertura {
  if (error instanceof FalhaDoNavegador) return { definitiva: true, motivo: error.motivo }
  const texto = error instanceof Error ? error.message : String(error)
  return SINAIS.find(([sinal]) => sinal.test(texto))?.[1] ?? { definitiva: false, motivo: 'servicoInstavel' }
}
