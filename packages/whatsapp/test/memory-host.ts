import { randomBytes } from 'node:crypto'
import type {
  OutboundMessage,
  MessageChange,
  SessionHost,
  JournalEntry,
  LinkState,
  InboundMessage,
} from '@balcao/connector/port'

/** State that survives the end of a process. */
export interface Disk {
  credentials: unknown
  readonly keys: Map<string, string>
  readonly entries: Map<string, string>
  readonly received: InboundMessage[]
  readonly changes: MessageChange[]
  readonly sent: OutboundMessage[]
  readonly files: Buffer[]
  readonly typing: Pick<InboundMessage, 'telefone' | 'endereco'>[]
  readonly receipts: { readonly idExterno: string; readonly estado: string }[]
}

export function newDisk(): Disk {
  return {
    credentials: null,
    keys: new Map(),
    entries: new Map(),
    received: [],
    changes: [],
    sent: [],
    files: [],
    typing: [],
    receipts: [],
  }
}

/** Hooks around each write. A hook that throws is a failing store; one that never resolves is a crash. */
export interface Hooks {
  readonly beforeWrite?: (arrivals: readonly JournalEntry[]) => Promise<void> | void
  readonly afterWrite?: (arrivals: readonly JournalEntry[]) => Promise<void> | void
  readonly beforeRead?: (tipo: string) => Promise<void>
  readonly beforeList?: () => Promise<void>
  readonly beforeReceive?: (mensagem: InboundMessage) => Promise<void> | void
  readonly beforeCompleteEntry?: (id: string) => void
  readonly beforeStoreMedia?: () => void
}

export interface TestHost extends SessionHost {
  readonly states: readonly LinkState[]
  /** Resolves with the first state of this type, past or future. */
  readonly reached: <T extends LinkState['tipo']>(tipo: T) => Promise<Extract<LinkState, { tipo: T }>>
}

/** A host for one process. Only `disco` survives it. */
export function createTestHost(disk: Disk, hooks: Hooks = {}): TestHost {
  const estados: LinkState[] = []
  const listeners = new Set<() => void>()
  return {
    states: estados,
    reached: (tipo) =>
      new Promise((resolve) => {
        const check = (): void => {
          for (const estado of estados) {
            if (!hasType(estado, tipo)) continue
            listeners.delete(check)
            resolve(estado)
            return
          }
        }
        listeners.add(check)
        check()
      }),
    ...{ contaId: 'conta', linhaId: 'conta', chromePath: '', now: () => new Date() },
    ...{ maySend: () => true, beginSend: () => Promise.resolve(false) },
    credentials: disk.credentials,
    saveCredentials: async (credenciais) => {
      disk.credentials = credenciais
    },
    linkState: async (estado) => {
      estados.push(estado)
      for (const listener of listeners) listener()
    },
    receive: async (mensagem) => {
      await hooks.beforeReceive?.(mensagem)
      if (disk.received.some(({ id }) => id === mensagem.id)) return
      disk.received.push(mensagem)
    },
    change: async (alteracao) => {
      const { alvo } = alteracao
      const known = [...disk.received.map(({ id }) => id), ...disk.sent.map(({ idExterno }) => idExterno)]
      if (!known.includes(alvo)) return false
      disk.changes.push(alteracao)
      return true
    },
    keys: {
      read: async (tipo, ids) => {
        await hooks.beforeRead?.(tipo)
        return new Map(
          ids.flatMap((id) => {
            const value = disk.keys.get(`${tipo}|${id}`)
            return value === undefined ? [] : [[id, value]]
          }),
        )
      },
      write: async (mudancas, arrivals) => {
        await hooks.beforeWrite?.(arrivals)
        for (const { tipo, id, valor } of mudancas) {
          if (valor === null) disk.keys.delete(`${tipo}|${id}`)
          else disk.keys.set(`${tipo}|${id}`, valor)
        }
        for (const { id, valor } of arrivals) disk.entries.set(id, valor)
        await hooks.afterWrite?.(arrivals)
      },
      clear: async () => disk.keys.clear(),
      listEntries: async () => {
        await hooks.beforeList?.()
        return [...disk.entries].map(([id, valor]) => ({ id, valor }))
      },
      completeEntry: async (id) => {
        hooks.beforeCompleteEntry?.(id)
        disk.entries.delete(id)
      },
    },
    typing: (cliente) => void disk.typing.push(cliente),
    storeMedia: async (bytes) => {
      hooks.beforeStoreMedia?.()
      disk.files.push(Buffer.from(bytes))
      return { tipo: 'imagem', url: `/arquivo/${disk.files.length - 1}` }
    },
    readMedia: async (url) => {
      const bytes = disk.files[Number(url.split('/').at(-1))]
      return bytes === undefined ? null : { bytes, mimeType: 'image/jpeg' }
    },
    findQuoted: async (_, target) => {
      const found = disk.received.find(({ id }) => id === target)
      return found === undefined ? null : { texto: found.texto, nossa: found.deMim === true }
    },
    listSent: async (de, until) => disk.sent.filter(({ idExterno }) => idExterno >= de && idExterno <= until),
    findOrder: async () => null,
    phoneOf: async () => '',
    replyAddress: async (address) => address,
    identity: async () => false,
    serviceId: () => undefined,
    undelivered: async () => undefined,
    reactionUndelivered: async () => undefined,
    receipt: (idExterno, estado) => void disk.receipts.push({ idExterno, estado }),
  }
}

function hasType<T extends LinkState['tipo']>(state: LinkState, tipo: T): state is Extract<LinkState, { tipo: T }> {
  return state.tipo === tipo
}

export function newMessage(address: string, text: string): OutboundMessage {
  const time = Date.now().toString(16).padStart(12, '0')
  const chance = randomBytes(9).toString('hex')
  const idExterno = `${time.slice(0, 8)}-${time.slice(8)}-7${chance.slice(0, 3)}-8${chance.slice(3, 6)}-${chance.slice(6)}`
  return { idExterno, endereco: address, texto: text }
}
