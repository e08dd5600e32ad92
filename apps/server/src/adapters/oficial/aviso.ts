import * as z from 'zod/mini'
import type { Chegada } from '#ports/messaging.ts'
import { talvez } from './talvez.ts'

/** The envelope of Meta's webhook. The content of a message is parsed later, when it is delivered. */

const id = z.string().check(z.regex(/^[\x21-\x7e]{1,250}$/))
const pedacos = z.optional(z.array(z.unknown()))

const avisoSchema = z.object({
  object: z.literal('whatsapp_business_account'),
  entry: z.array(z.unknown()),
})
const entradaSchema = z.object({ changes: z.array(z.unknown()) })
const mudancaSchema = z.object({
  value: z.object({
    metadata: z.object({ phone_number_id: z.string() }),
    contacts: pedacos,
    messages: pedacos,
    message_echoes: pedacos,
    statuses: pedacos,
  }),
})
const contatoSchema = z.object({
  wa_id: z.optional(z.string()),
  user_id: z.optional(z.string()),
  profile: z.optional(z.object({ name: z.optional(z.string()) })),
})
const mensagemSchema = z.looseObject({
  id,
  from: z.optional(z.string()),
  from_user_id: z.optional(z.string()),
})
const statusSchema = z.object({
  id,
  status: z.enum(['sent', 'delivered', 'read', 'played', 'failed']),
  biz_opaque_callback_data: z.optional(z.string()),
  errors: talvez(pedacos),
})
const erroSchema = z.object({ code: z.coerce.number() })
type Contato = z.output<typeof contatoSchema>

export const novidadeSchema = z.discriminatedUnion('tipo', [
  z.object({ tipo: z.literal('mensagem'), mensagem: z.unknown(), nome: z.string(), deMim: z.boolean() }),
  z.object({
    tipo: z.literal('status'),
    status: z.enum(['sent', 'delivered', 'read', 'failed']),
    idExterno: z.string(),
    codigo: z.nullable(z.number()),
    /** Absent in entries of older versions. */
    wamid: z.optional(z.string()),
  }),
])
export type Novidade = z.output<typeof novidadeSchema>

/** All entries for this number, in order. An unreadable entry is skipped without losing the others. */
export function lerAviso(corpo: unknown, telefoneId: string): Chegada[] {
  const aviso = avisoSchema.safeParse(corpo)
  if (!aviso.success) return []
  return lerTodos(entradaSchema, aviso.data.entry)
    .flatMap(({ changes }) => lerTodos(mudancaSchema, changes))
    .flatMap(({ value }) => {
      if (value.metadata.phone_number_id !== telefoneId) return []
      const contatos = lerTodos(contatoSchema, value.contacts)
      return [
        ...lerTodos(mensagemSchema, value.messages).map((mensagem) =>
          chegada(`m:${mensagem.id}`, { tipo: 'mensagem', mensagem, nome: nomeDe(mensagem, contatos), deMim: false }),
        ),
        ...lerTodos(mensagemSchema, value.message_echoes).map((mensagem) =>
          chegada(`m:${mensagem.id}`, { tipo: 'mensagem', mensagem, nome: '', deMim: true }),
        ),
        ...lerTodos(statusSchema, value.statuses).flatMap(lerStatus),
      ]
    })
}

/** Only of our own messages: another program may send for the same number. */
function lerStatus({ id: wamid, status, biz_opaque_callback_data: idExterno, errors }: z.output<typeof statusSchema>) {
  if (idExterno === undefined) return []
  const codigo = lerTodos(erroSchema, errors)[0]?.code ?? null
  const ate = status === 'played' ? 'read' : status
  return [chegada(`s:${status}:${wamid}`, { tipo: 'status', status: ate, idExterno, codigo, wamid })]
}

function nomeDe(
  { from, from_user_id: deUsuario }: z.output<typeof mensagemSchema>,
  contatos: readonly Contato[],
): string {
  const dele = contatos.find(
    ({ wa_id: numero, user_id: usuario }) =>
      (numero !== undefined && numero === from) || (usuario !== undefined && usuario === deUsuario),
  )
  return (dele ?? (contatos.length === 1 ? contatos[0] : undefined))?.profile?.name ?? ''
}

const chegada = (nome: string, novidade: Novidade): Chegada => ({ id: nome, valor: JSON.stringify(novidade) })

function lerTodos<S extends z.ZodMiniType>(schema: S, valores: readonly unknown[] = []): z.output<S>[] {
  return valores.flatMap((valor) => {
    const lido = schema.safeParse(valor)
    return lido.success ? [lido.data] : []
  })
}
