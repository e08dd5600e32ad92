import * as z from 'zod/mini'
import type { InboundMessage } from '#ports/messaging.ts'
import { pessoaDe, pessoaSchema } from './pessoa.ts'

/** What a customer sent, in the words of a counter. */

const texto = z.optional(z.string())
const arquivo = z.object({
  id: z.string(),
  mime_type: texto,
  sha256: texto,
  caption: texto,
  filename: texto,
})
export type ArquivoRemoto = z.output<typeof arquivo>

const escolha = z.object({ title: z.string() })
const mensagemSchema = z.extend(pessoaSchema, {
  id: z.string(),
  timestamp: z.coerce.number(),
  type: z.string(),
  /** What it answers; a forwarded message has a context that names none. */
  context: z.optional(z.object({ id: texto })),
  text: z.optional(z.object({ body: z.string() })),
  image: z.optional(arquivo),
  video: z.optional(arquivo),
  audio: z.optional(arquivo),
  document: z.optional(arquivo),
  sticker: z.optional(arquivo),
  button: z.optional(z.object({ text: z.string() })),
  interactive: z.optional(z.object({ button_reply: z.optional(escolha), list_reply: z.optional(escolha) })),
  location: z.optional(z.object({ latitude: z.number(), longitude: z.number(), name: texto, address: texto })),
  contacts: z.optional(
    z.array(
      z.object({
        name: z.optional(z.object({ formatted_name: texto })),
        phones: z.optional(z.array(z.object({ phone: texto, wa_id: texto }))),
      }),
    ),
  ),
})
type MensagemLida = z.output<typeof mensagemSchema>

export interface MensagemDaMeta {
  readonly recebida: InboundMessage
  /** What it carries, still at Meta's. */
  readonly arquivo?: ArquivoRemoto
  /** Meta's name of what it answers. */
  readonly citada?: string
}

const TIPOS = { image: 'imagem', video: 'video', audio: 'audio', document: 'documento', sticker: 'figurinha' } as const
const ARQUIVOS = ['image', 'video', 'audio', 'document', 'sticker'] as const

/** Null for what nobody wrote to the business: reactions (`lerReacao`), changes of number, kinds of message that do not exist yet. */
export function lerMensagem(bruta: unknown, { nome, deMim }: { nome: string; deMim: boolean }): MensagemDaMeta | null {
  const lida = mensagemSchema.safeParse(bruta)
  if (!lida.success) return null
  const mensagem = lida.data
  const pessoa = pessoaDe(mensagem, deMim)
  const conteudo = lerConteudo(mensagem)
  if (pessoa === null || conteudo === null) return null
  const { remoto, ...resto } = conteudo
  const recebida: InboundMessage = {
    ...{ id: mensagem.id, nome, ...pessoa, ...resto },
    enviadaEm: new Date(mensagem.timestamp * 1000),
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
  const { text, button, interactive, location, contacts } = mensagem
  const dito = text?.body ?? button?.text ?? interactive?.button_reply?.title ?? interactive?.list_reply?.title
  if (dito !== undefined) return { texto: dito }
  if (location !== undefined) {
    const { latitude, longitude, name, address } = location
    const linhas = [name, address, `https://maps.google.com/?q=${latitude},${longitude}`]
    return { texto: juntar(linhas, '\n'), midia: { tipo: 'localizacao' } }
  }
  if (contacts !== undefined) return { texto: contacts.map(lerCartao).join('\n'), midia: { tipo: 'contato' } }
  return lerArquivo(mensagem)
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

/** Name and numbers of a card. */
function lerCartao({ name, phones = [] }: Cartao): string {
  return juntar([name?.formatted_name, ...phones.map(({ phone, wa_id: numero }) => phone ?? numero)], ' · ')
}

const juntar = (partes: readonly (string | undefined)[], entre: string): string =>
  partes.filter((parte) => parte !== undefined && parte !== '').join(entre)
