import { pino } from 'pino'
import { createNavegador, type NavegadorOptions } from '#adapters/navegador/navegador.ts'
import type { MessageChange, LinkState, InboundMessage, OutboundMessage, SessionHost } from '@balcao/connector/port'
import type { FakePage } from './fake-page.ts'

export interface RecordingHost {
  readonly host: SessionHost
  readonly states: LinkState[]
  readonly received: InboundMessage[]
  readonly changes: MessageChange[]
  readonly receipts: string[]
  readonly serviceIds: (readonly [string, string])[]
  readonly credentials: () => unknown
  receive: (mensagem: InboundMessage) => Promise<void>
  /** Runs before the credentials are saved; throwing simulates a failing store. */
  beforeSave: () => void
  beforeState: () => Promise<void>
}

export const TEST_CONTA_ID = '01930000-0000-7000-8000-0000000000aa'
export const CHROME_PATH = process.env['CHROME_BIN'] ?? '/usr/bin/chromium'

export interface RecordingHostOptions {
  readonly credentials?: unknown
  readonly chromePath?: string
  readonly contaId?: string
  readonly storedMessages?: readonly OutboundMessage[]
  /** Messages that an earlier session began to send. */
  readonly begunBefore?: readonly string[]
}

export function createRecordingHost({
  contaId = TEST_CONTA_ID,
  credentials = null,
  chromePath = CHROME_PATH,
  storedMessages = [],
  begunBefore = [],
}: RecordingHostOptions = {}): RecordingHost {
  let stored = credentials
  const hospede: RecordingHost = {
    states: [],
    received: [],
    changes: [],
    receipts: [],
    serviceIds: [],
    credentials: () => stored,
    receive: async (mensagem) => void hospede.received.push(mensagem),
    beforeSave: () => undefined,
    beforeState: async () => undefined,
    host: {
      contaId,
      linhaId: contaId,
      chromePath,
      now: () => new Date(),
      maySend: () => true,
      beginSend: async (idExterno) => begunBefore.includes(idExterno),
      credentials,
      saveCredentials: async (fresh) => {
        hospede.beforeSave()
        stored = fresh
      },
      keys: {
        read: async () => new Map(),
        write: async () => undefined,
        clear: async () => undefined,
        listEntries: async () => [],
        completeEntry: async () => undefined,
      },
      storeMedia: async (bytes, nomeArquivo) => ({ tipo: 'imagem', url: `/api/midias/${bytes.length}`, nomeArquivo }),
      readMedia: async (url) => (url === '/foto' ? { bytes: Buffer.from('foto'), mimeType: 'image/png' } : null),
      findOrder: async () => null,
      phoneOf: async () => '',
      replyAddress: async (address) => address,
      identity: async () => false,
      findQuoted: async () => null,
      serviceId: (idExterno, idDoServico) => void hospede.serviceIds.push([idExterno, idDoServico]),
      listSent: async (de, until) => storedMessages.filter(({ idExterno }) => idExterno >= de && idExterno <= until),
      linkState: async (state) => {
        await hospede.beforeState()
        hospede.states.push(state)
      },
      receive: (mensagem) => hospede.receive(mensagem),
      change: async (alteracao) => hospede.changes.push(alteracao) > 0,
      receipt: (idExterno, recibo) => void hospede.receipts.push(`${recibo} ${idExterno}`),
      undelivered: async (idExterno) => void hospede.receipts.push(`falhou ${idExterno}`),
      reactionUndelivered: async () => undefined,
      typing: () => undefined,
    },
  }
  return hospede
}

export function createNavegadorOver(
  page: FakePage,
  options: Omit<NavegadorOptions, 'log'>,
): ReturnType<typeof createNavegador> {
  return createNavegador({
    log: pino({ level: 'silent' }),
    allowedPaths: [CHROME_PATH],
    runAsRoot: true,
    loadLibrary: async () => page.library,
    reconnectDelay: () => 1,
    unpaced: true,
    ...options,
  })
}
