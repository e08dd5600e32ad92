import * as z from 'zod/mini'

/** The shapes in which whatsapp-web.js 1.34 returns data of the page. */

const talvez = <T extends z.core.SomeType>(forma: T) => z.optional(z.nullable(forma))
const wid = z.union([z.string(), z.object({ _serialized: z.string() })])

export const chaveSchema = z.object({
  _serialized: z.optional(z.string()),
  id: z.string(),
  fromMe: z.boolean(),
  remote: wid,
})
export type Chave = z.output<typeof chaveSchema>

export const mensagemSchema = z.object({
  id: chaveSchema,
  type: z.string(),
  body: talvez(z.string()),
  from: z.string(),
  to: z.string(),
  /** Seconds. */
  timestamp: z.number(),
  ack: talvez(z.number()),
  hasMedia: z._default(z.boolean(), false),
  isStatus: talvez(z.boolean()),
  broadcast: talvez(z.boolean()),
  vCards: talvez(z.array(z.string())),
  title: talvez(z.string()),
  description: talvez(z.string()),
  pollName: talvez(z.string()),
  pollOptions: talvez(z.array(z.object({ name: z.string() }))),
  location: talvez(
    z.object({
      latitude: z.union([z.string(), z.number()]),
      longitude: z.union([z.string(), z.number()]),
      name: talvez(z.string()),
    }),
  ),
  /** On a deletion: the key of the deleted message. */
  protocolMessageKey: talvez(chaveSchema),
  _data: talvez(
    z.object({
      notifyName: talvez(z.string()),
      size: talvez(z.number()),
      mimetype: talvez(z.string()),
      filename: talvez(z.string()),
      quotedMsg: talvez(z.object({ type: talvez(z.string()), body: talvez(z.string()), caption: talvez(z.string()) })),
      quotedParticipant: talvez(wid),
    }),
  ),
})
export type MensagemWeb = z.output<typeof mensagemSchema>

export const respostaSchema = z.pick(mensagemSchema, { id: true, ack: true })

export const reacaoSchema = z.object({
  id: chaveSchema,
  msgId: chaveSchema,
  reaction: talvez(z.string()),
  senderId: talvez(wid),
})

export const arquivoSchema = z.object({
  mimetype: z.string(),
  data: z.string(),
  filename: talvez(z.string()),
})

export const conversaSchema = z.object({
  id: z.object({ _serialized: z.string() }),
  timestamp: talvez(z.number()),
})

export const enderecosSchema = z.object({ lid: talvez(z.string()), pn: talvez(z.string()) })

export const euSchema = z.object({
  pushname: talvez(z.string()),
  wid: z.object({ _serialized: z.string(), user: z.string() }),
})

/** `_serialized` is missing when the page returns only the parts. */
export function idDaChave({ _serialized, id, fromMe, remote }: Chave): string {
  return _serialized ?? `${fromMe}_${textoDoWid(remote)}_${id}`
}

export function textoDoWid(lido: z.output<typeof wid>): string {
  return typeof lido === 'string' ? lido : lido._serialized
}

export interface ComArquivo {
  readonly downloadMedia: () => Promise<unknown>
}

/** True for the library's own message object, which can download its file; parsed copies cannot. */
export function temArquivo(bruta: unknown): bruta is ComArquivo {
  return (
    typeof bruta === 'object' && bruta !== null && 'downloadMedia' in bruta && typeof bruta.downloadMedia === 'function'
  )
}

interface Conversa {
  readonly fetchMessages: (pedido: { limit: number; fromMe?: boolean }) => Promise<unknown[]>
  readonly sendStateTyping: () => Promise<unknown>
}

export function ehConversa(bruta: unknown): bruta is Conversa {
  return typeof bruta === 'object' && bruta !== null && 'fetchMessages' in bruta && 'sendStateTyping' in bruta
}
