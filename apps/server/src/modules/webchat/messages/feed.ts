import * as z from 'zod/mini'
import type { Deps } from '#deps.ts'
import type { Bus } from '#ports/bus.ts'
import type { ChatFeed, ChatReader, ChatRef } from '#ports/webchat/chat.ts'
import { appendMensagem } from './events.ts'

const CHANNEL = 'webchat'
const packetSchema = z.object({
  tipo: z.enum(['wake', 'typing', 'end']),
  contaId: z.string(),
  linhaId: z.string(),
  endereco: z.string(),
})
type Packet = z.output<typeof packetSchema>

const keyOf = ({ contaId, endereco }: ChatRef): string => `${contaId}|${endereco}`

/** The bus only wakes the streams. They read the rows, so a lost or repeated packet changes no answer. */
export function createChatFeed({ db, bus, log }: Pick<Deps, 'db' | 'log'> & { readonly bus: Bus }): ChatFeed {
  const readers = new Map<string, Set<ChatReader>>()
  const parse = (data: string): Packet | null => {
    try {
      return packetSchema.parse(JSON.parse(data))
    } catch (error) {
      log.warn({ err: error }, 'packet of a chat not readable')
      return null
    }
  }
  bus.subscribe(CHANNEL, (data) => {
    const packet = parse(data)
    if (packet === null) return
    for (const reader of readers.get(keyOf(packet)) ?? []) reader[packet.tipo]()
  })
  bus.onGap(() => {
    for (const open of readers.values()) for (const reader of open) reader.wake()
  })
  const publish = (tipo: Packet['tipo'], { contaId, linhaId, endereco }: ChatRef): void =>
    bus.publish(CHANNEL, JSON.stringify({ tipo, contaId, linhaId, endereco } satisfies Packet))
  return {
    deliver: async (chat, { idExterno: mensagemId }) => {
      const { contaId, endereco } = chat
      const stored = await db.transaction(contaId, (tx) => appendMensagem(tx, { contaId, endereco, mensagemId }))
      if (stored) publish('wake', chat)
      return stored
    },
    typing: (chat) => publish('typing', chat),
    stored: (chat) => publish('wake', chat),
    ended: (chat) => publish('end', chat),
    subscribe: (chat, reader) => {
      const key = keyOf(chat)
      const open = readers.get(key) ?? new Set()
      readers.set(key, open.add(reader))
      return () => {
        open.delete(reader)
        if (open.size === 0 && readers.get(key) === open) readers.delete(key)
      }
    },
  }
}
