import { type BinaryNode, jidNormalizedUser, type proto, type WAMessageKey } from 'baileys'
import type { OutboundMessage, SessionHost } from '@balcao/connector/port'
import { contextInfoOf } from './quoting.ts'
import { externalIdRange, messageIdOf } from '#message-id.ts'
import type { Self } from '#inbound/message.ts'
import type { LogFailure } from '#log-failure.ts'

export interface SentMessages {
  /** Finds our message by WhatsApp's id; undefined if it is not ours. */
  readonly find: (id: string) => Promise<OutboundMessage | undefined>
  readonly contentFor: (key: WAMessageKey) => Promise<proto.IMessage | undefined>
  readonly receipt: (recibo: BinaryNode) => void
  /** The `idExterno` of our message with this id; the id itself if it is not ours. */
  readonly externalIdOf: (id: string) => Promise<string>
}

export interface SentOptions {
  readonly onDelivered: (id: string, aQuem: string) => void
  readonly logFailure: LogFailure
  readonly self: () => Self
}

export function createSentMessages(
  host: Pick<SessionHost, 'listSent' | 'receipt'>,
  { onDelivered, logFailure, self }: SentOptions,
): SentMessages {
  const achar = async (id: string): Promise<OutboundMessage | undefined> => {
    const range = externalIdRange(id)
    if (range === null) return undefined
    const candidates = await host.listSent(range.de, range.ate)
    return candidates.find(({ idExterno }) => messageIdOf(idExterno) === id)
  }

  const delivered = async (ids: readonly string[], state: 'entregue' | 'lida'): Promise<void> => {
    for (const id of ids) {
      const mensagem = await achar(id)
      if (mensagem !== undefined) host.receipt(mensagem.idExterno, state)
    }
  }

  return {
    find: achar,
    contentFor: async ({ id, remoteJid }) => {
      const mensagem = await achar(id ?? '')
      // A file would need a new upload. The library itself caches recent messages.
      return mensagem === undefined || mensagem.midia !== undefined
        ? undefined
        : {
            extendedTextMessage: {
              text: mensagem.texto,
              ...contextInfoOf(mensagem.citada, jidNormalizedUser(remoteJid ?? mensagem.endereco), self()),
            },
          }
    },
    externalIdOf: async (id) => (await achar(id))?.idExterno ?? id,
    receipt: (recibo) => {
      const state = receiptStateOf(recibo)
      if (state === null) return
      for (const id of receiptIdsOf(recibo)) onDelivered(id, recibo.attrs.from ?? '')
      delivered(receiptIdsOf(recibo), state).catch((error: unknown) => logFailure(error, 'receipt not processed'))
    },
  }
}

function receiptStateOf({ attrs }: BinaryNode): 'entregue' | 'lida' | null {
  // A receipt with `recipient` is from another device of the owner.
  if (attrs.recipient !== undefined) return null
  if (attrs.type === undefined) return 'entregue'
  return attrs.type === 'read' || attrs.type === 'played' ? 'lida' : null
}

function receiptIdsOf({ attrs, content }: BinaryNode): string[] {
  const lista = Array.isArray(content) ? content.find(({ tag }) => tag === 'list')?.content : undefined
  const others = Array.isArray(lista) ? lista.map((item) => item.attrs.id ?? '') : []
  return [attrs.id ?? '', ...others]
}
