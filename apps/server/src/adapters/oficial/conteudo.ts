import * as z from 'zod/mini'
import type { InboundMessage } from '#ports/messaging.ts'
import { instanteSchema } from './instante.ts'
import { lerPedido, pedidoSchema } from './pedido.ts'
import { pessoaDe, pessoaSchema } from './pessoa.ts'
import { talvez } from './talvez.ts'

const texto = z.optional(z.string())
const arquivo = z.object({
  id: z.coerce.string(),
  mime_type: texto,
  sha256: texto,
  caption: texto,
  filename: texto,
})
export type ArquivoRemoto = z.output<typeof arquivo>

const escolha = talvez(z.object({ title: z.string() }))
const mensagemSchema = z.extend(pessoaSchema, {
  id: z.string(),
  timestamp: instanteSchema,
  type: talvez(z.string()),
  /** The message that this one answers. A forwarded message has a context without an id. */
  context: talvez(z.object({ id: texto })),
  text: talvez(z.object({ body: z.string() })),
  image: talvez(arquivo),
  video: talvez(arquivo),
  audio: talvez(arquivo),
  document: talvez(arquivo),
  sticker: talvez(arquivo),
  button: talvez(z.object({ text: z.string() })),
  interactive: talvez(
    z.object({ button_reply: escolha, list_reply: escolha, nfm_reply: talvez(z.object({ body: z.string() })) }),
  ),
  location: talvez(
    z.object({
      latitude: z.coerce.number(),
      longitude: z.coerce.number(),
      name: talvez(z.string()),
      address: talvez(z.string()),
    }),
  ),
  contacts: talvez(
    z.array(
      z.object({
        name: talvez(z.object({ formatted_name: texto })),
        phones: talvez(z.array(z.object({ phone: texto, wa_id: texto }))),
      }),
    ),
  ),
  order: talvez(pedidoSchema),
})
type MensagemLida = z.output<typeof mensagemSchema>

export interface MensagemDaMeta {
  readonly recebida: InboundMessage
  readonly arquivo?: ArquivoRemoto
  readonly citada?: string
}

const TIPOS = { image: 'imagem', video: 'video', audio: 'audio', document: 'documento', sticker: 'figurinha' } as const
const ARQUIVOS = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Parses a message. Null for changes of earlier messages (`lerAlteracao`) and system notices. */
export function lerMensagem(
  bruta: unknown,
  { nome, deMim, chegouEm }: { readonly nome: string; readonly deMim: boolean; readonly chegouEm: Date },
): MensagemDaMeta | null {
  const lida = mensagemSchema.safeParse(bruta)
  if (!lida.success) return null
  const mensagem = lida.data
  const pessoa = pessoaDe(mensagem, deMim)
  const conteudo = lerConteudo(mensagem) ?? semConteudo(mensagem, deMim)
  if (pessoa === null || conteudo === null) return null
  const { remoto, ...resto } = conteudo
  const recebida: InboundMessage = {
    ...{ id: mensagem.id, nome, ...pessoa, ...resto },
    enviadaEm: mensagem.timestamp ?? chegouEm,
    ...(deMim ? { deMim } : {}),
  }
  const citada = mensagem.context?.id
  return {
    recebida,
    ...(remoto === undefined ? {} : { arquivo: remoto }),
    ...(citada === undefined ? {} : { citada }),
  }
}

type Conteudo = Pick<InboundMessage, 'texto' | 'midia'> & { readonly remoto?: ArquivoRemoto }

function lerConteudo(mensagem: MensagemLida): Conteudo | null {
  const { text, button, interactive, location, contacts, order } = mensagem
  const { button_reply: botao, list_reply: linha, nfm_reply: formulario } = interactive ?? {}
  const dito = text?.body ?? button?.text ?? botao?.title ?? linha?.title ?? formulario?.body
  if (dito !== undefined) return { texto: dito }
  if (location !== undefined) {
    const { latitude, longitude, name, address } = location
    const linhas = [name, address, `https://maps.google.com/?q=${latitude},${longitude}`]
    return { texto: juntar(linhas, '\n'), midia: { tipo: 'localizacao' } }
  }
  if (contacts !== undefined) return { texto: contacts.map(lerCartao).join('\n'), midia: { tipo: 'contato' } }
  if (order !== undefined) return { texto: lerPedido(order) }
  return lerArquivo(mensagem)
}

const DE_NINGUEM: ReadonlySet<string> = new Set(['reaction', 'edit', 'revoke', 'system', 'request_welcome'])
const NAO_MOSTRA = 'que a API oficial do WhatsApp não mostra'

/**
 * Meta sends no content for polls, view-once media and the first message after an advertisement, although a person
 * wrote.
 */
function semConteudo({ type = '' }: MensagemLida, deMim: boolean): Conteudo | null {
  if (DE_NINGUEM.has(type)) return null
  const quem = deMim
    ? `Mensagem enviada pelo celular, ${NAO_MOSTRA}.`
    : `Chegou uma mensagem ${NAO_MOSTRA}. Peça que a pessoa escreva.`
  return { texto: quem, midia: { tipo: 'outro' } }
}

function lerArquivo(mensagem: MensagemLida): Conteudo | null {
  for (const tipo of ARQUIVOS) {
    const remoto = mensagem[tipo]
    if (remoto === undefined) continue
    const { caption = '', filename, mime_type: mime } = remoto
    const midia = {
      tipo: TIPOS[tipo],
      ...(filename === undefined ? {} : { nomeArquivo: filename }),
      ...(mime === undefined ? {} : { mimeType: mime }),
    }
    return { texto: caption, midia, remoto }
  }
  return null
}

type Cartao = NonNullable<MensagemLida['contacts']>[number]

function lerCartao({ name, phones = [] }: Cartao): string {
  return juntar([name?.formatted_name, ...phones.map(({ phone, wa_id: numero }) => phone ?? numero)], ' · ')
}

const juntar = (partes: readonly (string | undefined)[], entre: string): string =>
  partes.filter((parte) => parte !== undefined && parte !== '').join(entre)
