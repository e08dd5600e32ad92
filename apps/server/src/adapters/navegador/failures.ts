import { timeout, TaskCancelledError, TimeoutStrategy } from 'cockatiel'
import type { MotivoBot, StatusBot } from '@balcao/contract/entities/bot-status'

/** A browser that stays unusable until a person changes the server or the panel. */
export class BrowserFailure extends Error {
  readonly motivo: MotivoBot

  constructor(motivo: MotivoBot, detail: string) {
    super(detail)
    this.name = 'BrowserFailure'
    this.motivo = motivo
  }
}

export interface OpenFailure {
  readonly permanent: boolean
  readonly motivo: MotivoBot
}

/**
 * The order matters: a browser without its sandbox also reports a failed launch. The patterns are the libraries'
 * own texts.
 */
const FAILURE_PATTERNS: readonly (readonly [RegExp, OpenFailure])[] = [
  [
    /was not found at the configured executablePath|Could not find Chrome|`executablePath` or `channel` must be/,
    { permanent: true, motivo: 'navegadorNaoEncontrado' },
  ],
  [
    /no-sandbox is not supported|No usable sandbox|SUID sandbox|Failed to move to new namespace/,
    { permanent: true, motivo: 'navegadorSemProtecao' },
  ],
  [/already running for/, { permanent: false, motivo: 'navegadorCaiu' }],
  [/Failed to launch the browser process|EACCES|ENOEXEC/, { permanent: true, motivo: 'navegadorInutilizavel' }],
  [/net::ERR_/, { permanent: false, motivo: 'semRede' }],
  [
    /Target closed|Session closed|Connection closed|Protocol error|detached|disconnected/,
    { permanent: false, motivo: 'navegadorCaiu' },
  ],
]

/** Classifies a rejection of `initialize` of whatsapp-web.js, which is an error or a bare string. */
export function classifyOpenFailure(error: unknown): OpenFailure {
  if (error instanceof BrowserFailure) return { permanent: true, motivo: error.motivo }
  const text = error instanceof Error ? error.message : String(error)
  return FAILURE_PATTERNS.find(([signal]) => signal.test(text))?.[1] ?? { permanent: false, motivo: 'servicoInstavel' }
}

/** A hanging page never answers, so every call to it has a timeout. People read the text. */
export class TimedOut extends Error {}

export async function withTimeout<T>(operation: Promise<T>, ms: number): Promise<T> {
  try {
    return await timeout(ms, TimeoutStrategy.Aggressive).execute(() => operation)
  } catch (error) {
    throw error instanceof TaskCancelledError ? new TimedOut('o navegador não respondeu a tempo') : error
  }
}

export type WebClose =
  | { readonly tipo: 'esperar'; readonly motivo: MotivoBot }
  | { readonly tipo: 'encerrar'; readonly status: StatusBot; readonly motivo: MotivoBot }

/** `reason` comes with `disconnected`: a socket state of the page or the library's own word. */
export function decideWebClose(reason: unknown, replacedTwice: boolean): WebClose {
  switch (reason) {
    case 'LOGOUT':
    case 'UNPAIRED':
    case 'UNPAIRED_IDLE':
      return { tipo: 'encerrar', status: 'PARADO', motivo: 'desconectadoNoCelular' }
    case 'TOS_BLOCK':
    case 'SMB_TOS_BLOCK':
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'banido' }
    case 'DEPRECATED_VERSION':
      return { tipo: 'encerrar', status: 'ERRO', motivo: 'clienteDesatualizado' }
    case 'CONFLICT':
      // Only one process runs a session, so the first conflict may be our own old browser.
      return replacedTwice
        ? { tipo: 'encerrar', status: 'PARADO', motivo: 'substituido' }
        : { tipo: 'esperar', motivo: 'substituido' }
    default:
      return { tipo: 'esperar', motivo: 'semRede' }
  }
}
